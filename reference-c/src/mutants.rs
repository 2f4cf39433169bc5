//! Chooses the planted belief of each line; 0 for none.

unsafe extern "C" {
    fn udma_hal_set_mutant(number: u32);
    fn udma_kernel_set_mutant(number: u32);
}

/// Belief of the HAL line.
pub fn choose_hal(number: u32) {
    // SAFETY: stores a number in a global that the line alone reads.
    unsafe { udma_hal_set_mutant(number) }
}

/// Belief of the kernel line.
pub fn choose_kernel(number: u32) {
    // SAFETY: stores a number in a global that the line alone reads.
    unsafe { udma_kernel_set_mutant(number) }
}
