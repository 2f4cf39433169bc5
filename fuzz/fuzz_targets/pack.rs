//! `udma_harness::fuzz::pack` under libFuzzer.
#![no_main]

use udma_harness::fuzz::pack::fuzz;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz(bytes));
