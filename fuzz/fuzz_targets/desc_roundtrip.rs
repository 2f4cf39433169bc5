//! `udma_harness::fuzz::desc_roundtrip` under libFuzzer.
#![no_main]

use libfuzzer_sys::fuzzer_mutate;
use udma_harness::fuzz::desc_roundtrip::{LENGTH, fuzz};
use udma_harness::fuzz::mutate::change;

libfuzzer_sys::fuzz_target!(init: udma_harness::fuzz::init(), |bytes: &[u8]| fuzz(bytes));
libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max: usize, seed: u32| {
    change(data, size, max, LENGTH, seed, fuzzer_mutate)
});
