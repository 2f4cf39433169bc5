//! `udma_harness::fuzz::program_json` under libFuzzer.
#![no_main]

use udma_harness::fuzz::program_json::fuzz;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz(bytes));
