//! A copy for ring memory that is too large to be worth caching: stores that go past the cache, as
//! the C library's own `memcpy` uses for a block of that size.

use udma::Desc;

/// Copies descriptors of one length. [`udma::vring::Vring::dump_with`] hands it a page at a time.
///
/// # Panics
/// If the lengths differ.
pub fn copy(to: &mut [Desc], from: &[Desc]) {
    assert_eq!(to.len(), from.len(), "a run has one length");
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx") {
        // SAFETY: the processor has the instructions, as was just asked.
        return unsafe { avx(to, from) };
    }
    to.copy_from_slice(from);
}

/// Bytes of one step: two whole lines of the cache.
#[cfg(target_arch = "x86_64")]
const STEP: usize = 128;
/// Parts of a run that are copied side by side: as many pages of memory are open at a time.
#[cfg(target_arch = "x86_64")]
const PARTS: usize = 4;

/// # Safety
/// The processor has AVX; the slices have one length.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx")]
unsafe fn avx(to: &mut [Desc], from: &[Desc]) {
    use core::arch::x86_64::{_mm_sfence, _mm256_loadu_si256, _mm256_stream_si256};
    // A line of the cache that is written in two goes is fetched after all.
    let head = to.as_ptr().align_offset(64).min(to.len());
    to[..head].copy_from_slice(&from[..head]);
    let (to, from) = (&mut to[head..], &from[head..]);
    let steps = size_of_val(from) / (STEP * PARTS);
    let (source, target) = (from.as_ptr().cast::<u8>(), to.as_mut_ptr().cast::<u8>());
    for step in 0..steps {
        for part in 0..PARTS {
            let at = (part * steps + step) * STEP;
            // SAFETY: `at + STEP` bytes lie inside both slices, and `target + at` is on 64 bytes:
            // the slice starts there and a step is a multiple.
            unsafe {
                let load = |place: usize| _mm256_loadu_si256(source.add(at + place).cast());
                let words = [load(0), load(32), load(64), load(96)];
                for (place, word) in words.into_iter().enumerate() {
                    _mm256_stream_si256(target.add(at + 32 * place).cast(), word);
                }
            }
        }
    }
    let done = steps * STEP * PARTS / size_of::<Desc>();
    to[done..].copy_from_slice(&from[done..]);
    // Streaming stores are ordered by nothing else.
    _mm_sfence();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_length_and_place_is_copied_whole() {
        let from: Vec<Desc> = (0..160)
            .map(|index| Desc::new(index, !index, u64::from(index) << 33))
            .collect();
        for first in 0..5 {
            for length in 0..150 {
                let mut to = vec![Desc::default(); 160];
                copy(&mut to[first..first + length], &from[2..2 + length]);
                assert_eq!(to[first..first + length], from[2..2 + length]);
                let rest = to[..first].iter().chain(&to[first + length..]);
                assert!(rest.copied().all(|desc| desc == Desc::default()));
            }
        }
    }
}
