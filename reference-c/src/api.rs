//! The functions of one library as a table.

use core::ffi::{c_char, c_void};

use crate::abi::{
    UDMA_ABI_VERSION, udma_bar0_case, udma_bit_case, udma_cache_stats, udma_commit_in,
    udma_completion, udma_contexts_cfg, udma_contexts_state, udma_desc, udma_desc_fma,
    udma_desc_min_max, udma_desc_payload, udma_dtype_case, udma_dump, udma_engine_cfg,
    udma_engine_init_in, udma_engine_init_out, udma_engine_state, udma_fields, udma_flush_in,
    udma_host, udma_host_place, udma_info, udma_iofic_in, udma_iofic_out, udma_memset_in,
    udma_meta_fields, udma_op_add, udma_op_cce_ext, udma_op_fma, udma_op_min_max,
    udma_op_replication, udma_op_split, udma_op_transpose, udma_packed, udma_packet_in,
    udma_page_gate, udma_pair_in, udma_pair_out, udma_place, udma_pring, udma_queue_cfg,
    udma_queue_sw, udma_reduction_in, udma_reduction_out, udma_remap_case, udma_resolved,
    udma_ring_state, udma_semaphore, udma_shadow, udma_transfer, udma_transfer_cfg,
    udma_transpose_in, udma_vring_copy, udma_vring_image, udma_wait_in, udma_wait_out,
    udma_window_case, udma_zerocopy_in,
};

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

            /// A library without a function.
            pub const NONE: Self = Self { $($name: None,)* };

            /// Names of the functions that this library has.
            pub fn offered(&self) -> Vec<&'static str> {
                let all = [$(self.$name.map(|_| stringify!($name)),)*];
                all.into_iter().flatten().collect()
            }

            /// The HAL line.
            pub const fn hal() -> Self {
                Self { $($name: Some(paste_hal::$name),)* }
            }

            /// The kernel line.
            pub const fn kernel() -> Self {
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
    transfer_open = udma_hal_transfer_open,
    copy = udma_hal_copy,
    copy_async = udma_hal_copy_async,
    wait = udma_hal_wait,
    memset = udma_hal_memset,
    zerocopy = udma_hal_zerocopy,
    contexts_open = udma_hal_contexts_open,
    contexts_submit = udma_hal_contexts_submit,
    contexts_copy = udma_hal_contexts_copy,
    contexts_advance = udma_hal_contexts_advance,
    contexts_state = udma_hal_contexts_state,
    contexts_at = udma_hal_contexts_at,
    completion_pop = udma_hal_completion_pop,
    zerocopy_offered = udma_hal_zerocopy_offered,
    wait_estimate = udma_hal_wait_estimate,
    host_queue = udma_hal_host_queue,
    shadow_init = udma_hal_shadow_init,
    shadow_reserve = udma_hal_shadow_reserve,
    shadow_ring_id_at = udma_hal_shadow_ring_id_at,
    shadow_commit = udma_hal_shadow_commit,
    bare_copy_start = udma_hal_bare_copy_start,
    software_poll = udma_hal_software_poll,
    op_split = udma_hal_op_split,
    op_transpose = udma_hal_op_transpose,
    op_replication = udma_hal_op_replication,
    op_add = udma_hal_op_add,
    op_min_max = udma_hal_op_min_max,
    op_fma = udma_hal_op_fma,
    op_cce_ext = udma_hal_op_cce_ext,
    op_gradient = udma_hal_op_gradient,
    op_decode = udma_hal_op_decode,
    desc_fma = udma_hal_desc_fma,
    desc_min_max = udma_hal_desc_min_max,
    desc_seed_init = udma_hal_desc_seed_init,
    desc_replication = udma_hal_desc_replication,
    desc_gradient = udma_hal_desc_gradient,
    desc_decode = udma_hal_desc_decode,
    build_transpose = udma_hal_build_transpose,
    transpose_name = udma_hal_transpose_name,
    transpose_window = udma_hal_transpose_window,
    transpose_flush = udma_hal_transpose_flush,
    dtypes = udma_hal_dtypes,
    remap = udma_hal_remap,
    combo_chain = udma_hal_combo_chain,
    build_reduction = udma_hal_build_reduction,
    engine_init = udma_hal_engine_init,
    engine_state = udma_hal_engine_state,
    set_state = udma_hal_set_state,
    iofic = udma_hal_iofic,
    iofic_causes = udma_hal_iofic_causes,
    bar0 = udma_hal_bar0,
    vring_open = udma_hal_vring_open,
    vring_close = udma_hal_vring_close,
    vring_page_gate = udma_hal_vring_page_gate,
    vring_transfer = udma_hal_vring_transfer,
    vring_transfer_ex = udma_hal_vring_transfer_ex,
    vring_poke = udma_hal_vring_poke,
    vring_packet = udma_hal_vring_packet,
    vring_raw = udma_hal_vring_raw,
    vring_deep_copy = udma_hal_vring_deep_copy,
    vring_free = udma_hal_vring_free,
    vring_image = udma_hal_vring_image,
    vring_read = udma_hal_vring_read,
    vring_pack = udma_hal_vring_pack,
    vring_dmb_on_last_packet = udma_hal_vring_dmb_on_last_packet,
    vring_addr_rewrite = udma_hal_vring_addr_rewrite,
    vring_semaphore_wanted = udma_hal_vring_semaphore_wanted,
    vring_embed_semaphore = udma_hal_vring_embed_semaphore,
    vring_template = udma_hal_vring_template,
    vring_resolve = udma_hal_vring_resolve,
    pring_size = udma_hal_pring_size,
    vring_dump = udma_hal_vring_dump,
    vring_dump_both = udma_hal_vring_dump_both,
    cache_open = udma_hal_cache_open,
    cache_acquire = udma_hal_cache_acquire,
    cache_release = udma_hal_cache_release,
    cache_stats = udma_hal_cache_stats,
    cache_close = udma_hal_cache_close,
    set_open = udma_hal_set_open,
    set_add = udma_hal_set_add,
    set_close = udma_hal_set_close,
    vring_layout = udma_hal_vring_layout,
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
    transfer_open = udma_kernel_transfer_open,
    copy = udma_kernel_copy,
    copy_async = udma_kernel_copy_async,
    wait = udma_kernel_wait,
    memset = udma_kernel_memset,
    zerocopy = udma_kernel_zerocopy,
    contexts_open = udma_kernel_contexts_open,
    contexts_submit = udma_kernel_contexts_submit,
    contexts_copy = udma_kernel_contexts_copy,
    contexts_advance = udma_kernel_contexts_advance,
    contexts_state = udma_kernel_contexts_state,
    contexts_at = udma_kernel_contexts_at,
    completion_pop = udma_kernel_completion_pop,
    zerocopy_offered = udma_kernel_zerocopy_offered,
    wait_estimate = udma_kernel_wait_estimate,
    host_queue = udma_kernel_host_queue,
    shadow_init = udma_kernel_shadow_init,
    shadow_reserve = udma_kernel_shadow_reserve,
    shadow_ring_id_at = udma_kernel_shadow_ring_id_at,
    shadow_commit = udma_kernel_shadow_commit,
    bare_copy_start = udma_kernel_bare_copy_start,
    software_poll = udma_kernel_software_poll,
    op_split = udma_kernel_op_split,
    op_transpose = udma_kernel_op_transpose,
    op_replication = udma_kernel_op_replication,
    op_add = udma_kernel_op_add,
    op_min_max = udma_kernel_op_min_max,
    op_fma = udma_kernel_op_fma,
    op_cce_ext = udma_kernel_op_cce_ext,
    op_gradient = udma_kernel_op_gradient,
    op_decode = udma_kernel_op_decode,
    desc_fma = udma_kernel_desc_fma,
    desc_min_max = udma_kernel_desc_min_max,
    desc_seed_init = udma_kernel_desc_seed_init,
    desc_replication = udma_kernel_desc_replication,
    desc_gradient = udma_kernel_desc_gradient,
    desc_decode = udma_kernel_desc_decode,
    build_transpose = udma_kernel_build_transpose,
    transpose_name = udma_kernel_transpose_name,
    transpose_window = udma_kernel_transpose_window,
    transpose_flush = udma_kernel_transpose_flush,
    dtypes = udma_kernel_dtypes,
    remap = udma_kernel_remap,
    combo_chain = udma_kernel_combo_chain,
    build_reduction = udma_kernel_build_reduction,
    engine_init = udma_kernel_engine_init,
    engine_state = udma_kernel_engine_state,
    set_state = udma_kernel_set_state,
    iofic = udma_kernel_iofic,
    iofic_causes = udma_kernel_iofic_causes,
    bar0 = udma_kernel_bar0,
    vring_open = udma_kernel_vring_open,
    vring_close = udma_kernel_vring_close,
    vring_page_gate = udma_kernel_vring_page_gate,
    vring_transfer = udma_kernel_vring_transfer,
    vring_transfer_ex = udma_kernel_vring_transfer_ex,
    vring_poke = udma_kernel_vring_poke,
    vring_packet = udma_kernel_vring_packet,
    vring_raw = udma_kernel_vring_raw,
    vring_deep_copy = udma_kernel_vring_deep_copy,
    vring_free = udma_kernel_vring_free,
    vring_image = udma_kernel_vring_image,
    vring_read = udma_kernel_vring_read,
    vring_pack = udma_kernel_vring_pack,
    vring_dmb_on_last_packet = udma_kernel_vring_dmb_on_last_packet,
    vring_addr_rewrite = udma_kernel_vring_addr_rewrite,
    vring_semaphore_wanted = udma_kernel_vring_semaphore_wanted,
    vring_embed_semaphore = udma_kernel_vring_embed_semaphore,
    vring_template = udma_kernel_vring_template,
    vring_resolve = udma_kernel_vring_resolve,
    pring_size = udma_kernel_pring_size,
    vring_dump = udma_kernel_vring_dump,
    vring_dump_both = udma_kernel_vring_dump_both,
    cache_open = udma_kernel_cache_open,
    cache_acquire = udma_kernel_cache_acquire,
    cache_release = udma_kernel_cache_release,
    cache_stats = udma_kernel_cache_stats,
    cache_close = udma_kernel_cache_close,
    set_open = udma_kernel_set_open,
    set_add = udma_kernel_set_add,
    set_close = udma_kernel_set_close,
    vring_layout = udma_kernel_vring_layout,
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
    transfer_open: (*mut c_void, u32, *const udma_transfer_cfg);
    copy: (*mut c_void, u32, *const udma_transfer, *mut i32);
    copy_async: (*mut c_void, u32, *const udma_transfer, i32, *mut i32, *mut i32);
    wait: (*mut c_void, u32, i32, *mut i32);
    memset: (*mut c_void, u32, *const udma_memset_in, *mut i32);
    zerocopy: (*mut c_void, u32, *const udma_zerocopy_in, *mut i32);
    contexts_open: (*mut c_void, u32, *const udma_contexts_cfg);
    contexts_submit: (*mut c_void, u32, *const udma_zerocopy_in, u64, *mut i32);
    contexts_copy: (*mut c_void, u32, *const udma_zerocopy_in, *mut i32);
    contexts_advance: (*mut c_void, u32, *mut u32);
    contexts_state: (*mut c_void, u32, *mut udma_contexts_state);
    contexts_at: (*mut c_void, u32, u32, *mut u32);
    completion_pop: (*mut c_void, u32, *mut udma_completion, *mut u32);
    zerocopy_offered: (u32, u32, *mut u32);
    wait_estimate: (*const udma_wait_in, *mut udma_wait_out, u32);
    host_queue: (u32, u32, *mut udma_host_place, *mut i32);
    shadow_init: (*mut udma_shadow, u32);
    shadow_reserve: (*mut udma_shadow, *mut udma_shadow, u32, *mut u32, *mut u32, *mut i32);
    shadow_ring_id_at: (*const udma_shadow, u32, *mut u32);
    shadow_commit: (*const udma_commit_in, *mut u32, *mut i32);
    bare_copy_start: (*const udma_host, u32, u32, u32, *mut i32);
    software_poll: (*const udma_host, u64, u64, *mut i32);
    op_split: (*const udma_op_split, *mut u32, u32);
    op_transpose: (*const udma_op_transpose, *mut u32, u32);
    op_replication: (*const udma_op_replication, *mut u32, u32);
    op_add: (*const udma_op_add, *mut u32, u32);
    op_min_max: (*const udma_op_min_max, *mut u32, u32);
    op_fma: (*const udma_op_fma, *mut u32, u32);
    op_cce_ext: (*const udma_op_cce_ext, *mut u32, u32);
    op_gradient: (*const udma_op_fma, *mut u32, u32);
    op_decode: (*const u32, *mut u32, u32);
    desc_fma: (*const udma_desc_fma, *mut udma_desc, u32);
    desc_min_max: (*const udma_desc_min_max, *mut udma_desc, u32);
    desc_seed_init: (*const udma_desc_payload, *mut udma_desc, u32);
    desc_replication: (*const udma_desc_payload, *mut udma_desc, u32);
    desc_gradient: (*const udma_desc_payload, *mut udma_desc, u32);
    desc_decode: (*const udma_desc, *mut u32, u32);
    build_transpose: (*const udma_transpose_in, *mut udma_desc, *mut i32);
    transpose_name: (*const c_char, *mut i32);
    transpose_window: (*mut udma_window_case, u32);
    transpose_flush: (*const udma_flush_in, *mut udma_pair_out);
    dtypes: (*mut udma_dtype_case, u32);
    remap: (*mut udma_remap_case, u32);
    combo_chain: (*mut udma_desc, u32);
    build_reduction: (*const udma_reduction_in, *mut udma_desc, *mut udma_desc, *mut udma_reduction_out);
    engine_init: (*const udma_engine_init_in, *mut udma_engine_init_out);
    engine_state: (*const udma_host, u32, *mut udma_engine_state);
    set_state: (*const udma_host, i32, *mut i32);
    iofic: (*const udma_iofic_in, *mut udma_iofic_out);
    iofic_causes: (*const udma_host, u32, u32, *mut u32, *mut u32);
    bar0: (*mut udma_bar0_case, u32);
    vring_open: (*const c_char, *mut *mut c_void);
    vring_close: (*mut c_void);
    vring_page_gate: (*mut c_void, *const udma_page_gate);
    vring_transfer: (*mut c_void, *const udma_vring_copy, *mut i32);
    vring_transfer_ex: (*mut c_void, *const udma_vring_copy, *mut i32);
    vring_poke: (*mut c_void, u32, u32, u64, u64, *mut i32);
    vring_packet: (*mut c_void, *const udma_packet_in, *mut i32);
    vring_raw: (*mut c_void, u32, *const udma_desc, u32, *mut i32);
    vring_deep_copy: (*mut c_void, *mut *mut c_void, *mut i32);
    vring_free: (*mut c_void);
    vring_image: (*mut c_void, *mut udma_vring_image);
    vring_read: (*mut c_void, u32, u32, u32, *mut udma_desc, *mut u32);
    vring_pack: (*mut c_void, u32, u32, u32, u64, *mut udma_packed);
    vring_dmb_on_last_packet: (*mut c_void, u32, *mut u32, *mut i32);
    vring_addr_rewrite: (*mut c_void, u64, u64, u64, *mut u64);
    vring_semaphore_wanted: (*mut c_void, *const udma_semaphore, *mut u32);
    vring_embed_semaphore: (*mut c_void, *const udma_semaphore, *mut u32);
    vring_template: (*mut c_void, u32);
    vring_resolve: (*mut c_void, *const u64, u32, *mut udma_resolved);
    pring_size: (u32, u32, *mut u64);
    vring_dump: (*mut c_void, u32, *mut udma_pring, *const udma_dump, *mut i32);
    vring_dump_both: (*mut c_void, *mut udma_pring, *const udma_dump, *mut udma_pring, *const udma_dump, *mut i32);
    cache_open: (*mut c_void, u32, *mut *mut c_void, *mut i32);
    cache_acquire: (*mut c_void, *const u64, u32, *mut *mut c_void, *mut udma_resolved);
    cache_release: (*mut c_void, *mut c_void);
    cache_stats: (*mut c_void, *mut udma_cache_stats);
    cache_close: (*mut c_void);
    set_open: (*const c_char, u32, *mut *mut c_void);
    set_add: (*mut c_void, *mut *mut c_void, *mut i32);
    set_close: (*mut c_void);
    vring_layout: (*const c_char, *const c_char, *mut udma_place);
}
