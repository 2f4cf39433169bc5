//! How long a batch is waited for (POLL-2, POLL-3).

use udma_reference::abi;

/// First and following wait of the architecture's own estimate.
pub fn estimate(arch: u8, driver: u8, platform: u32, count: u32, is_async: bool) -> [u64; 2] {
    let v2 = u32::from(arch) == abi::UDMA_ARCH_SUNDA;
    let driver = u32::from(driver);
    // Older versions read, not run: 100 estimates on v3 up to 2.24.7.0.
    let old = matches!(driver, abi::UDMA_DRIVER_2_15_9 | abi::UDMA_DRIVER_2_18_20);
    let v3 = u32::from(arch) == abi::UDMA_ARCH_CAYMAN;
    let est = u64::from(count.wrapping_sub(1).wrapping_mul(if v2 { 4 } else { 2 }));
    let first = match (is_async, v2) {
        (true, _) => 1,
        (false, true) => est.wrapping_sub(3),
        (false, false) => est.wrapping_sub(1),
    };
    let estimates = if v2 || v3 && old { 100 } else { 400 };
    let following = est
        .wrapping_mul(estimates)
        .wrapping_sub(first)
        .wrapping_mul(100);
    let stretch = match platform {
        _ if driver == abi::UDMA_DRIVER_2_27_4 => 1,
        abi::UDMA_PLATFORM_QEMU => 10_000,
        abi::UDMA_PLATFORM_EMU => 100_000,
        _ => 1,
    };
    [first, following.wrapping_mul(stretch)]
}

/// What the poller makes of it: 2.27.4.0 stretches there, by 100,000 on both virtual platforms.
pub fn polled(arch: u8, driver: u8, platform: u32, count: u32, is_async: bool) -> [u64; 2] {
    let [first, following] = estimate(arch, driver, platform, count, is_async);
    let described = u32::from(driver) == abi::UDMA_DRIVER_2_27_4;
    if described && platform != abi::UDMA_PLATFORM_HW {
        [first, following.wrapping_mul(100_000)]
    } else {
        [first, following]
    }
}
