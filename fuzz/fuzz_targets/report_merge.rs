//! `udma_harness::fuzz::report_merge` under libFuzzer.
#![no_main]

use udma_harness::fuzz::report_merge::fuzz;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz(bytes));
