//! `udma_harness::fuzz::golden_reader` under libFuzzer.
#![no_main]

use udma_harness::fuzz::golden_reader::fuzz;

libfuzzer_sys::fuzz_target!(init: udma_harness::fuzz::init(), |bytes: &[u8]| fuzz(bytes));
