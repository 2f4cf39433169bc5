//! `udma_harness::fuzz::desc_roundtrip` under libFuzzer.
#![no_main]

use udma_harness::fuzz::desc_roundtrip::fuzz;

libfuzzer_sys::fuzz_target!(init: udma_harness::fuzz::init(), |bytes: &[u8]| fuzz(bytes));
