//! Memory: allocation, plain and asynchronous copies, fills. The members are the driver's own names.

use super::layout::abi_structs;

abi_structs! {
    MemChunkInfo, "neuron_ioctl_mem_chunk_info" {
        pa: u64,
        size: u64,
        mem_type: u32,
    }
    MemAlloc, "neuron_ioctl_mem_alloc" {
        size: u64,
        host_memory: u32,
        dram_channel: u32,
        dram_region: u32,
        nc_id: u32,
        mem_handle: u64,
    }
    MemAllocV2, "neuron_ioctl_mem_alloc_v2" {
        size: u64,
        align: u64,
        host_memory: u32,
        dram_channel: u32,
        dram_region: u32,
        nc_id: u32,
        mem_handle: u64,
    }
    MemAllocV2MemType, "neuron_ioctl_mem_alloc_v2_mem_type" {
        size: u64,
        align: u64,
        host_memory: u32,
        dram_channel: u32,
        dram_region: u32,
        nc_id: u32,
        mem_type: u32,
        mem_handle: u64,
    }
    MemAllocV2MemType64, "neuron_ioctl_mem_alloc_v2_mem_type64" {
        size: u64,
        align: u64,
        host_memory: u32,
        dram_channel: u32,
        dram_region: u32,
        nc_id: u32,
        mem_type: u32,
        mem_handle: u64,
        pad: u32,
    }
    MemGetInfo, "neuron_ioctl_mem_get_info" {
        mem_handle: u64,
        mmap_offset: u64,
        pa: u64,
    }
    MemGetPa, "neuron_ioctl_mem_get_pa" {
        mem_handle: u64,
        pa: u64,
    }
    MemGetExtendedInfo, "neuron_ioctl_mem_get_extended_info" {
        mem_handle: u64,
        version: u32,
        host_memory: u32,
        mmap_offset: u64,
        pa: u64,
        pid: u64,
        size: u64,
    }
    MemFree, "neuron_ioctl_mem_free" {
        mem_handle: u64,
    }
    MemCopy, "neuron_ioctl_mem_copy" {
        src_mem_handle: u64,
        dst_mem_handle: u64,
        size: u32,
        src_offset: u32,
        dst_offset: u32,
    }
    MemCopy64, "neuron_ioctl_mem_copy64" {
        src_mem_handle: u64,
        dst_mem_handle: u64,
        size: u64,
        src_offset: u64,
        dst_offset: u64,
    }
    MemCopyAsync, "neuron_ioctl_mem_copy_async" {
        src_mem_handle: u64,
        dst_mem_handle: u64,
        size: u32,
        src_offset: u32,
        dst_offset: u32,
        host_prefetch_addr: u64,
        pwait_handle: u32,
        wait_handle: u32,
    }
    MemCopyAsync64, "neuron_ioctl_mem_copy_async64" {
        src_mem_handle: u64,
        dst_mem_handle: u64,
        size: u64,
        src_offset: u64,
        dst_offset: u64,
        host_prefetch_addr: u64,
        pwait_handle: u32,
        wait_handle: u32,
    }
    MemCopyAsyncWait, "neuron_ioctl_mem_copy_async_wait" {
        src_mem_handle: u64,
        dst_mem_handle: u64,
        pwait_handle: u32,
    }
    Memset, "neuron_ioctl_memset" {
        mem_handle: u64,
        offset: u64,
        value: u32,
        size: u32,
    }
    Memset64, "neuron_ioctl_memset64" {
        mem_handle: u64,
        offset: u64,
        value: u32,
        size: u64,
    }
    MemBufCopy, "neuron_ioctl_mem_buf_copy" {
        mem_handle: u64,
        buffer: u64,
        size: u32,
        offset: u32,
        copy_to_mem_handle: u32,
    }
    MemBufCopy64, "neuron_ioctl_mem_buf_copy64" {
        mem_handle: u64,
        buffer: u64,
        size: u64,
        offset: u64,
        copy_to_mem_handle: u32,
    }
    MemBufCopy64zc, "neuron_ioctl_mem_buf_copy64zc" {
        mem_handle: u64,
        buffer: u64,
        size: u64,
        offset: u64,
        is_copy_to_device: u32,
        bar4_wr_threshold: u32,
        h2t_qid: u32,
        dummy: u32,
    }
    MemBufCopy64zcBatches, "neuron_ioctl_mem_buf_copy64zc_batches" {
        sequence_num: u64,
        batches_ptr: u64,
        num_batches: u32,
        is_copy_to_device: u16,
        h2t_qid: u32,
        flags: u16,
    }
    ProgramEngine, "neuron_ioctl_program_engine" {
        dst: u64,
        buffer: u64,
        size: u32,
        offset: u32,
    }
    ProgramEngineNc, "neuron_ioctl_program_engine_nc" {
        nc_id: u32,
        dst: u64,
        buffer: u64,
        size: u32,
        offset: u32,
    }
    ProgramEngineNc64, "neuron_ioctl_program_engine_nc64" {
        nc_id: u32,
        dst: u64,
        buffer: u64,
        size: u64,
        offset: u64,
    }
    DmabufFd, "neuron_ioctl_dmabuf_fd" {
        va: u64,
        size: u64,
        fd: u64,
    }
    MemGetMcMmapInfo, "neuron_ioctl_mem_get_mc_mmap_info" {
        pa: u64,
        mmap_offset: u64,
        size: u64,
    }
    MemGetMcMmapInfoV2, "neuron_ioctl_mem_get_mc_mmap_info_v2" {
        pa: u64,
        mmap_offset: u64,
        size: u64,
        mem_handle: u64,
    }
    MemcpyBatch, "neuron_memcpy_batch" {
        mem_handle: u64,
        mem_handle_offset: u64,
        ops_ptr: u64,
        num_ops: u32,
        bar4_wr_threshold: u16,
        flags: u16,
        context: u64,
    }
    TensorBatchOp, "nrt_tensor_batch_op" {
        offset: u64,
        size: u64,
        buffer: u64,
    }
}
