//! `udma_harness::fuzz::opclass` under libFuzzer.
#![no_main]

use udma_harness::fuzz::opclass::fuzz;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz(bytes));
