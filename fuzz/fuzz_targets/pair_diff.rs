//! `udma_harness::fuzz::pair_diff` under libFuzzer.
#![no_main]

use udma_harness::fuzz::pair_diff::fuzz;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz(bytes));
