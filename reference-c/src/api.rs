//! The functions of one library as a table.

use core::ffi::{c_char, c_void};

use crate::abi::{
    UDMA_ABI_VERSION, udma_bit_case, udma_block, udma_desc, udma_engine_cfg, udma_fields,
    udma_info, udma_meta_fields, udma_packet_in, udma_pair_in, udma_pair_out, udma_place,
    udma_queue_cfg, udma_queue_sw, udma_ring_state,
};

// Named here so that a change of the ABI's structures is seen in the table.
const _: Option<udma_block> = None;

macro_rules! api {
    ($($name:ident: ($($arg:ty),*);)*) => {
        /// The functions of one library. A function that the library leaves out is none; one that
        /// it declines returns `UDMA_NOT_OFFERED`.
        ///
        /// The pointers must be valid as the header says for as long as the table is used.
        #[derive(Clone, Copy, Debug)]
        #[allow(missing_docs)] // Each is documented in the header under the same name.
        pub struct Api {
            $(pub $name: Option<unsafe extern "C" fn($($arg),*) -> i32>,)*
        }

        impl Api {
            /// Names of the functions, without prefix, in the order of the header.
            pub const NAMES: &'static [&'static str] = &[$(stringify!($name),)*];

            /// The HAL line.
            pub fn hal() -> Self {
                Self { $($name: Some(paste_hal::$name),)* }
            }

            /// The kernel line.
            pub fn kernel() -> Self {
                Self { $($name: Some(paste_kernel::$name),)* }
            }

            /// The functions that a library exports under the plain prefix, and what it says it is.
            ///
            /// # Errors
            /// A library that does not say which version of the ABI it speaks, or another one than
            /// this.
            ///
            /// # Safety
            /// What the library exports under the header's names are the header's functions. The
            /// table is not used once the library is unloaded.
            pub unsafe fn load(
                library: &libloading::Library,
            ) -> Result<(Self, udma_info), LoadError> {
                let api = Self {
                    $(
                        // SAFETY: the caller answers for the type of what bears the name.
                        $name: unsafe { symbol(library, concat!("udma_", stringify!($name), "\0")) },
                    )*
                };
                let ask = api.info.ok_or(LoadError::NoInfo)?;
                let mut info = udma_info::default();
                // SAFETY: one structure out.
                let code = unsafe { ask(&raw mut info) };
                if code != 0 {
                    return Err(LoadError::Info { code });
                }
                if info.abi_version != UDMA_ABI_VERSION {
                    return Err(LoadError::Version { version: info.abi_version });
                }
                Ok((api, info))
            }
        }
    };
}

/// Why a library is not one that can be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LoadError {
    /// It does not export the call that tells its version.
    #[error("the library does not export udma_info")]
    NoInfo,
    /// That call failed.
    #[error("udma_info returned {code}")]
    Info {
        /// What it returned.
        code: i32,
    },
    /// It speaks another version.
    #[error("the library speaks version {version} of the ABI, not {UDMA_ABI_VERSION}")]
    Version {
        /// Its version.
        version: u32,
    },
}

/// A function by its terminated name; none where the library has none of that name.
///
/// # Safety
/// The symbol is a function of type `F`.
unsafe fn symbol<F: Copy>(library: &libloading::Library, name: &str) -> Option<F> {
    // SAFETY: the caller answers for the type.
    unsafe { library.get::<F>(name.as_bytes()) }
        .ok()
        .map(|found| *found)
}

macro_rules! prefixed {
    ($module:ident: $($short:ident = $long:ident,)*) => {
        mod $module {
            $(pub use crate::abi::$long as $short;)*
        }
    };
}

prefixed! { paste_hal:
    info = udma_hal_info,
    decode = udma_hal_decode,
    encode = udma_hal_encode,
    meta_decode = udma_hal_meta_decode,
    meta_encode = udma_hal_meta_encode,
    bits = udma_hal_bits,
    build_pairs = udma_hal_build_pairs,
    build_packet = udma_hal_build_packet,
    build_cme_meta = udma_hal_build_cme_meta,
    build_crc_copy = udma_hal_build_crc_copy,
    ring_size = udma_hal_ring_size,
    engine_open = udma_hal_engine_open,
    engine_close = udma_hal_engine_close,
    queue_init = udma_hal_queue_init,
    queue_sw = udma_hal_queue_sw,
    ring_get = udma_hal_ring_get,
    ring_id = udma_hal_ring_id,
    ring_ack = udma_hal_ring_ack,
    ring_available = udma_hal_ring_available,
    prepare = udma_hal_prepare,
    copy_start = udma_hal_copy_start,
    queue_state = udma_hal_queue_state,
    layout = udma_hal_layout,
}

prefixed! { paste_kernel:
    info = udma_kernel_info,
    decode = udma_kernel_decode,
    encode = udma_kernel_encode,
    meta_decode = udma_kernel_meta_decode,
    meta_encode = udma_kernel_meta_encode,
    bits = udma_kernel_bits,
    build_pairs = udma_kernel_build_pairs,
    build_packet = udma_kernel_build_packet,
    build_cme_meta = udma_kernel_build_cme_meta,
    build_crc_copy = udma_kernel_build_crc_copy,
    ring_size = udma_kernel_ring_size,
    engine_open = udma_kernel_engine_open,
    engine_close = udma_kernel_engine_close,
    queue_init = udma_kernel_queue_init,
    queue_sw = udma_kernel_queue_sw,
    ring_get = udma_kernel_ring_get,
    ring_id = udma_kernel_ring_id,
    ring_ack = udma_kernel_ring_ack,
    ring_available = udma_kernel_ring_available,
    prepare = udma_kernel_prepare,
    copy_start = udma_kernel_copy_start,
    queue_state = udma_kernel_queue_state,
    layout = udma_kernel_layout,
}

api! {
    info: (*mut udma_info);
    decode: (*const udma_desc, *mut udma_fields, u32);
    encode: (*const udma_fields, *mut udma_desc, u32);
    meta_decode: (*const u32, *mut udma_meta_fields, u32);
    meta_encode: (*const udma_meta_fields, *mut u32, u32);
    bits: (*mut udma_bit_case, u32);
    build_pairs: (*const udma_pair_in, *mut udma_pair_out, u32);
    build_packet: (*const udma_packet_in, *mut udma_desc, *mut udma_desc, *mut i32);
    build_cme_meta: (u32, *mut udma_desc);
    build_crc_copy: (*const udma_pair_in, u32, *mut udma_desc, *mut udma_desc, *mut i32);
    ring_size: (*const u32, *mut u32, u32);
    engine_open: (*const udma_engine_cfg, *mut *mut c_void);
    engine_close: (*mut c_void);
    queue_init: (*mut c_void, u32, *const udma_queue_cfg, *mut i32);
    queue_sw: (*mut c_void, u32, u32, *mut udma_queue_sw);
    ring_get: (*mut c_void, u32, u32, *mut i64);
    ring_id: (*mut c_void, u32, u32, *mut u32);
    ring_ack: (*mut c_void, u32, u32, u32, *mut i32);
    ring_available: (*mut c_void, u32, u32, *mut i64);
    prepare: (*mut c_void, u32, *const udma_pair_in, *mut i32);
    copy_start: (*mut c_void, u32, u32, u32, *mut i32);
    queue_state: (*mut c_void, u32, u32, u32, *mut udma_ring_state, *mut udma_ring_state);
    layout: (*const c_char, *const c_char, *const c_char, *mut udma_place);
}
