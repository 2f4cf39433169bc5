//! How an argument lies in memory, and the macro that defines arguments together with it.

/// A member of a structure, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member {
    /// The driver's name.
    pub name: &'static str,
    /// Bytes from the start.
    pub offset: usize,
    /// Bytes; 0 for a trailing array of variable length.
    pub size: usize,
}

/// A structure, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The driver's name.
    pub name: &'static str,
    /// Bytes.
    pub size: usize,
    /// Alignment.
    pub align: usize,
    /// Members in order.
    pub members: &'static [Member],
}

/// A member's name without the mark of a raw identifier.
pub(super) const fn plain(name: &'static str) -> &'static str {
    match name.as_bytes() {
        [b'r', b'#', ..] => name.split_at(2).1,
        _ => name,
    }
}

/// Values whose members can all be 0.
pub trait Zero: Copy {
    /// All members 0.
    const ZERO: Self;
}

macro_rules! zero {
    ($($number:ty),*) => {
        $(impl Zero for $number {
            const ZERO: Self = 0;
        })*
    };
}
zero!(u8, u16, u32, u64);

impl<T: Zero, const N: usize> Zero for [T; N] {
    const ZERO: Self = [T::ZERO; N];
}

/// Defines arguments with the driver's layout, and a list of those layouts.
macro_rules! abi_structs {
    ($($name:ident, $driver:literal { $($member:ident: $ty:ty,)* })*) => {
        $(
            #[doc = concat!("`struct ", $driver, "`.")]
            #[derive(Clone, Copy, Debug, PartialEq, Eq)]
            #[repr(C)]
            #[allow(missing_docs)]
            pub struct $name {
                $(pub $member: $ty,)*
            }

            impl $crate::abi::layout::Zero for $name {
                const ZERO: Self = Self {
                    $($member: <$ty as $crate::abi::layout::Zero>::ZERO,)*
                };
            }

            impl Default for $name {
                fn default() -> Self {
                    <Self as $crate::abi::layout::Zero>::ZERO
                }
            }
        )*

        /// Layouts of this file's structures.
        pub const LAYOUTS: &[$crate::abi::layout::Layout] = &[$(
            $crate::abi::layout::Layout {
                name: $driver,
                size: size_of::<$name>(),
                align: align_of::<$name>(),
                members: &[$($crate::abi::layout::Member {
                    name: $crate::abi::layout::plain(stringify!($member)),
                    offset: core::mem::offset_of!($name, $member),
                    size: size_of::<$ty>(),
                },)*],
            },
        )*];
    };
}
pub(super) use abi_structs;
