//! Inputs as bytes: read by `Arbitrary`, written back for seeds. Both directions come of one
//! declaration, so that what is written is what is read.

use arbitrary::{Arbitrary, Unstructured};

/// Reads an input. Bytes that are missing are zeros: an input of a few bytes is one, too.
pub fn read<'a, T: Arbitrary<'a>>(bytes: &'a [u8]) -> Option<T> {
    T::arbitrary(&mut Unstructured::new(bytes)).ok()
}

/// The inverse of `Arbitrary`: what is put is read again.
pub trait Put {
    /// Appends the bytes.
    fn put(&self, out: &mut Vec<u8>);

    /// The bytes.
    fn bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.put(&mut out);
        out
    }
}

macro_rules! numbers {
    ($($number:ty)*) => {$(
        impl Put for $number {
            fn put(&self, out: &mut Vec<u8>) {
                out.extend(self.to_le_bytes());
            }
        }
    )*};
}

numbers! { u8 u16 u32 u64 i8 i32 }

impl Put for bool {
    fn put(&self, out: &mut Vec<u8>) {
        out.push((*self).into());
    }
}

impl<T: Put> Put for Option<T> {
    fn put(&self, out: &mut Vec<u8>) {
        self.is_some().put(out);
        if let Some(value) = self {
            value.put(out);
        }
    }
}

impl<T: Put, const N: usize> Put for [T; N] {
    fn put(&self, out: &mut Vec<u8>) {
        for value in self {
            value.put(out);
        }
    }
}

impl<T: Put> Put for Vec<T> {
    fn put(&self, out: &mut Vec<u8>) {
        for value in self {
            true.put(out);
            value.put(out);
        }
        false.put(out);
    }
}

/// Declares an input: a structure, or an enumeration of structures. A variant is a byte.
macro_rules! input {
    ($(#[$meta:meta])* struct $name:ident {
        $($(#[$of:meta])* $field:ident: $type:ty,)*
    }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct $name {
            $($(#[$of])* pub $field: $type,)*
        }

        impl<'a> arbitrary::Arbitrary<'a> for $name {
            #[inline]
            fn arbitrary(from: &mut arbitrary::Unstructured<'a>) -> arbitrary::Result<Self> {
                Ok(Self { $($field: from.arbitrary()?),* })
            }
        }

        impl $crate::fuzz::input::Put for $name {
            fn put(&self, out: &mut Vec<u8>) {
                $(self.$field.put(out);)*
            }
        }
    };
    ($(#[$meta:meta])* enum $name:ident {
        $($(#[$of:meta])* $variant:ident { $($field:ident: $type:ty),* $(,)? },)*
    }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[allow(missing_docs)] // Fields bear the names of what they become.
        pub enum $name {
            $($(#[$of])* $variant { $($field: $type),* },)*
        }

        impl $name {
            /// Variants in the order of their numbers.
            const VARIANTS: &[&str] = &[$(stringify!($variant)),*];
        }

        impl<'a> arbitrary::Arbitrary<'a> for $name {
            #[inline]
            fn arbitrary(from: &mut arbitrary::Unstructured<'a>) -> arbitrary::Result<Self> {
                let mut number = usize::from(from.arbitrary::<u8>()?) % Self::VARIANTS.len();
                $(
                    if number == 0 {
                        return Ok(Self::$variant { $($field: from.arbitrary()?),* });
                    }
                    number = number.wrapping_sub(1);
                )*
                let _ = number;
                Err(arbitrary::Error::IncorrectFormat)
            }
        }

        impl $crate::fuzz::input::Put for $name {
            fn put(&self, out: &mut Vec<u8>) {
                match self {
                    $(Self::$variant { $($field),* } => {
                        let is_own = |name: &&str| *name == stringify!($variant);
                        let number = Self::VARIANTS.iter().position(is_own).unwrap_or_default();
                        (number as u8).put(out);
                        $($field.put(out);)*
                    })*
                }
            }
        }
    };
}

pub(crate) use input;
