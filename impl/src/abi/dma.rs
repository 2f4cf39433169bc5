//! Engines, queues, descriptors, registers. The members are the driver's own names.

use super::BATCH;
use super::layout::abi_structs;

abi_structs! {
    BarRw, "neuron_ioctl_bar_rw" {
        bar: u32,
        address: u64,
        data: u64,
        count: u32,
    }
    DmaCopyDescriptors, "neuron_ioctl_dma_copy_descriptors" {
        mem_handle: u64,
        buffer: u64,
        num_descs: u32,
        offset: u32,
        queue_type: u32,
    }
    DmaCopyDescriptors64, "neuron_ioctl_dma_copy_descriptors64" {
        mem_handle: u64,
        buffer: u64,
        num_descs: u32,
        offset: u64,
        queue_type: u32,
    }
    DmaQueueInit, "neuron_ioctl_dma_queue_init" {
        eng_id: u32,
        qid: u32,
        tx_desc_count: u32,
        rx_desc_count: u32,
        tx_handle: u64,
        rx_handle: u64,
        rxc_handle: u64,
        axi_port: u32,
    }
    DmaQueueInitBatch, "neuron_ioctl_dma_queue_init_batch" {
        count: u32,
        entries: [DmaQueueInit; BATCH],
    }
    DmaQueueRelease, "neuron_ioctl_dma_queue_release" {
        eng_id: u32,
        qid: u32,
    }
    DmaQuiesceQueues, "neuron_ioctl_dma_quiesce_queues" {
        nc_id: u32,
        engine_count: u32,
        queue_mask: [u32; 64],
    }
    DmaAckCompleted, "neuron_ioctl_dma_ack_completed" {
        eng_id: u32,
        qid: u32,
        count: u32,
    }
    DmaQueueCopyStart, "neuron_ioctl_dma_queue_copy_start" {
        eng_id: u32,
        qid: u32,
        tx_desc_count: u32,
        rx_desc_count: u32,
    }
    DmaEngInit, "neuron_ioctl_dma_eng_init" {
        eng_id: u32,
    }
    DmaEngSetState, "neuron_ioctl_dma_eng_set_state" {
        eng_id: u32,
        state: u32,
    }
    DmaEngGetState, "neuron_ioctl_dma_eng_get_state" {
        eng_id: u32,
        state: u64,
    }
    DmaQueueGetState, "neuron_ioctl_dma_queue_get_state" {
        eng_id: u32,
        qid: u32,
        tx: u64,
        rx: u64,
    }
    DmaDescriptorCopyout, "neuron_ioctl_dma_descriptor_copyout" {
        eng_id: u32,
        qid: u32,
        r#type: u32,
        start_index: u32,
        count: u32,
        buffer: u64,
    }
    DmaEngState, "neuron_dma_eng_state" {
        revision_id: u32,
        max_queues: u32,
        num_queues: u32,
        tx_state: u32,
        rx_state: u32,
    }
    DmaQueueState, "neuron_dma_queue_state" {
        hw_status: u32,
        sw_status: u32,
        base_addr: u64,
        length: u32,
        head_pointer: u32,
        tail_pointer: u32,
        completion_base_addr: u64,
        completion_head: u32,
    }
}
