//! Structures of the calls that move no descriptor: locks, notifications, semaphores, pods. The members are the driver's own names.

use super::device::Uuid;
use super::layout::abi_structs;

abi_structs! {
    PostMetric, "neuron_ioctl_post_metric" {
        data: u64,
        data_size: u32,
    }
    Semaphore, "neuron_ioctl_semaphore" {
        nc_id: u32,
        semaphore_index: u32,
        value: u32,
    }
    Event, "neuron_ioctl_event" {
        nc_id: u32,
        event_index: u32,
        value: u32,
    }
    NotificationsInitV1, "neuron_ioctl_notifications_init_v1" {
        nc_id: u32,
        nq_type: u32,
        engine_index: u32,
        size: u32,
        mmap_offset: u64,
    }
    NotificationsInitV2, "neuron_ioctl_notifications_init_v2" {
        nq_dev_id: u32,
        nq_dev_type: u32,
        nq_type: u32,
        engine_index: u32,
        size: u32,
        on_host_memory: u32,
        dram_channel: u32,
        dram_region: u32,
        mmap_offset: u64,
        mem_handle: u64,
    }
    NotificationsInitWithReallocV2, "neuron_ioctl_notifications_init_with_realloc_v2" {
        nq_dev_id: u32,
        nq_dev_type: u32,
        nq_type: u32,
        engine_index: u32,
        size: u32,
        on_host_memory: u32,
        dram_channel: u32,
        dram_region: u32,
        force_alloc_mem: u32,
        mmap_offset: u64,
        mem_handle: u64,
    }
    NeuronDsInfo, "neuron_ioctl_neuron_ds_info" {
        pid: u32,
        mmap_offset: u64,
        size: u32,
    }
    NotificationsDestroy, "neuron_ioctl_notifications_destroy" {
        mmap_offset: u64,
    }
    NotificationsDestroyNq, "neuron_ioctl_notifications_destroy_nq" {
        nq_dev_id: u32,
        nq_type: u32,
        engine_index: u32,
    }
    NotificationsQueueInfo, "neuron_ioctl_notifications_queue_info" {
        nq_dev_id: u8,
        nq_dev_type: u8,
        nq_type: u8,
        engine_index: u8,
        head: u32,
        phase_bit: u32,
    }
    ReadHwCounters, "neuron_ioctl_read_hw_counters" {
        address: u64,
        data: u64,
        count: u32,
    }
    Crwl, "neuron_ioctl_crwl" {
        nc_id: u32,
        uuid: Uuid,
    }
    CrwlNcMap, "neuron_ioctl_crwl_nc_map" {
        nc_count: u32,
        start_nc_index: u32,
        end_nc_index: u32,
        max_nc_available: u32,
        bitmap: u64,
    }
    CrwlNcMapExt, "neuron_ioctl_crwl_nc_map_ext" {
        nc_count: u32,
        start_nc_index: u32,
        end_nc_index: u32,
        max_nc_available: u32,
        bitmap: [u64; 8],
    }
    CinitSet, "neuron_ioctl_cinit_set" {
        nc_id: u32,
        state: u32,
        new_state: u32,
    }
    NcModelStartedCount, "neuron_ioctl_nc_model_started_count" {
        nc_id: u32,
        started_count: u64,
    }
    Printk, "neuron_ioctl_printk" {
        buffer: u64,
        size: u32,
        action: u32,
    }
    DumpMemChunks, "neuron_ioctl_dump_mem_chunks" {
        hbm_index: u32,
        num_entries_in: u32,
        num_entries_out: u32,
        data: u64,
    }
    NcPidStateDump, "neuron_ioctl_nc_pid_state_dump" {
        size: u32,
        nc_id: u32,
        filter_log_owner: u32,
        log_dump_limit: u32,
    }
    HbmScrubStart, "neuron_ioctl_hbm_scrub_start" {
        nc_id: u32,
        hbm_index: u32,
        axi_port: u32,
        init_val: u32,
    }
    HbmScrubWait, "neuron_ioctl_hbm_scrub_wait" {
        nc_id: u32,
        hbm_index: u32,
    }
    GetLogicalToPhysicalNcMap, "neuron_ioctl_get_logical_to_physical_nc_map" {
        map: u64,
        max_map_entries: u32,
        mapping_version: u32,
    }
    PodInfo, "neuron_ioctl_pod_info" {
        sz: u16,
        pod_type: u8,
        pod_id: [u8; 256],
        pod_sz: u8,
    }
    PodStatus, "neuron_ioctl_pod_status" {
        sz: u16,
        pod_id: [u8; 256],
        state: u32,
        pod_type: u8,
        pod_sz: u8,
        node_id: u8,
    }
    PodStatusV2, "neuron_ioctl_pod_status_v2" {
        v1: PodStatus,
        mode: u32,
        modes_supported: u32,
    }
    PodCtrl, "neuron_ioctl_pod_ctrl" {
        sz: u16,
        ctrl: u32,
        timeout: u32,
        state: u32,
    }
    PodCtrlV2, "neuron_ioctl_pod_ctrl_v2" {
        v1: PodCtrl,
        mode: u32,
    }
    H2tDmaAllocQueues, "neuron_ioctl_h2t_dma_alloc_queues" {
        sz: u16,
        nc_id: u16,
        copy_queue_cnt: u16,
        service_queue_cnt: u16,
        copy_queue_bmap: u32,
        service_queue_bmap: u32,
        copy_default_queue: u32,
    }
    H2tDmaFreeQueues, "neuron_ioctl_h2t_dma_free_queues" {
        sz: u16,
        nc_id: u8,
        fill0: u8,
        queue_bmap: u32,
    }
    PowerProfile, "neuron_ioctl_power_profile" {
        sz: u16,
        ctrl: u16,
        profile: u32,
    }
    MetricsCtrl, "neuron_ioctl_metrics_ctrl" {
        mode: u32,
    }
    ThrottlingNotifications, "neuron_ioctl_throttling_notifications" {
        enable: u32,
    }
    GetVaPlacement, "neuron_ioctl_get_va_placement" {
        va: u64,
        device_index: u32,
        hbm_index: u32,
    }
}
