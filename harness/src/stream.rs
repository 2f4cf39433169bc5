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

/// Bytes of one step of either half.
#[cfg(target_arch = "x86_64")]
const STEP: usize = 128;

/// # Safety
/// The processor has AVX; the slices have one length.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx")]
unsafe fn avx(to: &mut [Desc], from: &[Desc]) {
    use core::arch::x86_64::{
        _MM_HINT_T0, _mm_prefetch, _mm_sfence, _mm256_loadu_si256, _mm256_stream_si256,
    };
    // Streaming stores want 32-byte places; a descriptor is half of one.
    let odd = to.as_ptr().addr() / size_of::<Desc>() % 2;
    let head = odd.min(to.len());
    to[..head].copy_from_slice(&from[..head]);
    let (to, from) = (&mut to[head..], &from[head..]);
    let steps = size_of_val(from) / STEP;
    let (source, target) = (from.as_ptr().cast::<u8>(), to.as_mut_ptr().cast::<u8>());
    for step in 0..steps {
        let at = step * STEP;
        // SAFETY: `at + STEP` bytes lie inside both slices, and `target + at` is on 32 bytes: the
        // slice starts there and a step is a multiple. A prefetch may name any address.
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(source.wrapping_add(at + 8 * STEP).cast());
            _mm_prefetch::<_MM_HINT_T0>(source.wrapping_add(at + 8 * STEP + 64).cast());
            let load = |place: usize| _mm256_loadu_si256(source.add(at + place).cast());
            let words = [load(0), load(32), load(64), load(96)];
            for (place, word) in words.into_iter().enumerate() {
                _mm256_stream_si256(target.add(at + 32 * place).cast(), word);
            }
        }
    }
    let done = steps * STEP / size_of::<Desc>();
    to[done..].copy_from_slice(&from[done..]);
    // Streaming stores are ordered by nothing else.
    _mm_sfence();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_length_and_place_is_copied_whole() {
        let from: Vec<Desc> = (0..80)
            .map(|index| Desc::new(index, !index, u64::from(index) << 33))
            .collect();
        for first in 0..3 {
            for length in 0..70 {
                let mut to = vec![Desc::default(); 80];
                copy(&mut to[first..first + length], &from[2..2 + length]);
                assert_eq!(to[first..first + length], from[2..2 + length]);
                let rest = to[..first].iter().chain(&to[first + length..]);
                assert!(rest.copied().all(|desc| desc == Desc::default()));
            }
        }
    }
}
