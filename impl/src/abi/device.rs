//! The device, its driver and its users. The members are the driver's own names.

use super::layout::abi_structs;

abi_structs! {
    NcMapEntry, "neuron_ioctl_nc_map_entry" {
        device_id: u32,
        device_nc_idx: u32,
    }
    NcMap, "neuron_ioctl_nc_map" {
        num_entries: u32,
        mappings: [NcMapEntry; 0],
    }
    DeviceInit, "neuron_ioctl_device_init" {
        mem_regions: u32,
    }
    DeviceReset, "neuron_ioctl_device_reset" {
        nc_map: u32,
        request_id: u32,
    }
    DeviceReady, "neuron_ioctl_device_ready" {
        request_id: u32,
        result: u32,
    }
    GetAppsInfo, "neuron_ioctl_get_apps_info" {
        apps_info_flags: u16,
        capacity: u32,
        size: u32,
        app_data: [AppInfo; 0],
    }
    CompatibleVersion, "neuron_ioctl_compatible_version" {
        max: u32,
        min: u32,
    }
    DeviceBasicInfo, "neuron_ioctl_device_basic_info" {
        architecture: u32,
        revision: u32,
    }
    DeviceBdf, "neuron_ioctl_device_bdf" {
        bus_number: u32,
        slot: u8,
        func: u8,
    }
    DeviceBdfExt, "neuron_ioctl_device_bdf_ext" {
        nd_index: u32,
        domain: u32,
        bus_number: u32,
        slot: u8,
        func: u8,
    }
    ResourceMmapInfo, "neuron_ioctl_resource_mmap_info" {
        block: u32,
        block_id: u32,
        resource: u32,
        offset: u64,
        size: u64,
    }
    DeviceInfo, "neuron_ioctl_device_info" {
        architecture: u32,
        revision: u32,
        connected_device_count: u32,
        connected_devices: [u32; 8],
        bar_address: [u64; 2],
        bar_size: [u64; 2],
    }
    DeviceDriverInfo, "neuron_ioctl_device_driver_info" {
        architecture: u32,
        revision: u32,
        version: u32,
        size: u32,
        feature_flags1: u64,
    }
    HostDeviceId, "neuron_ioctl_host_device_id" {
        host_device_id: u32,
    }
    HostDeviceIdToRidMap, "neuron_ioctl_host_device_id_to_rid_map" {
        count: u32,
        host_did_to_rid_map: [u32; 64],
    }
    AppInfo, "neuron_app_info" {
        pid: u32,
        nc_lock_map: u8,
        uuid_data: [Uuid; 4],
        host_mem_size: u64,
        device_mem_size: u64,
    }
    Uuid, "neuron_uuid" {
        value: [u8; 32],
    }
}
