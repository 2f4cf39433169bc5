//! How long a batch is waited for (POLL-2, POLL-3).

use udma_reference::abi;

use crate::law::version::version;

/// First and following wait of the architecture's own estimate.
pub fn estimate(arch: u8, driver: u8, platform: u32, count: u32, is_async: bool) -> [u64; 2] {
    let v2 = u32::from(arch) == abi::UDMA_ARCH_SUNDA;
    let version = version(driver);
    let est = u64::from(count.wrapping_sub(1).wrapping_mul(if v2 { 4 } else { 2 }));
    let first = match (is_async, v2) {
        (true, _) => 1,
        (false, true) => est.wrapping_sub(3),
        (false, false) => est.wrapping_sub(1),
    };
    let estimates = match u32::from(arch) {
        abi::UDMA_ARCH_SUNDA => 100,
        abi::UDMA_ARCH_CAYMAN => version.cayman_estimates,
        _ => 400,
    };
    let following = est
        .wrapping_mul(estimates)
        .wrapping_sub(first)
        .wrapping_mul(100);
    let stretch = match platform {
        _ if version.stretched_in_poller => 1,
        abi::UDMA_PLATFORM_QEMU => 10_000,
        abi::UDMA_PLATFORM_EMU => 100_000,
        _ => 1,
    };
    [first, following.wrapping_mul(stretch)]
}

/// What the poller makes of it: 2.27.4.0 stretches there, by 100,000 on both virtual platforms.
pub fn polled(arch: u8, driver: u8, platform: u32, count: u32, is_async: bool) -> [u64; 2] {
    let [first, following] = estimate(arch, driver, platform, count, is_async);
    if version(driver).stretched_in_poller && platform != abi::UDMA_PLATFORM_HW {
        [first, following.wrapping_mul(100_000)]
    } else {
        [first, following]
    }
}
