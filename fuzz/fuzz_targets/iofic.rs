//! `udma_harness::fuzz::iofic` under libFuzzer.
#![no_main]

use udma_harness::fuzz::iofic::fuzz;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz(bytes));
