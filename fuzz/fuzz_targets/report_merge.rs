//! `udma_harness::fuzz::report_merge` under libFuzzer.
#![no_main]

use udma_harness::fuzz::report_merge::fuzz;

libfuzzer_sys::fuzz_target!(init: udma_harness::fuzz::init(), |bytes: &[u8]| fuzz(bytes));
