//! Changes of an input of a known length that cost a few instructions. Where an execution takes less
//! than a microsecond, libFuzzer's own changes take a good part of it: it looks for one that works,
//! and makes inputs that are too short.

use udma_oracle::generate::mix;

/// One change in so many is libFuzzer's own, which knows the dictionary and other inputs.
const OTHERS: u64 = 16;

/// Numbers that lengths, ring ids and addresses change at, and words of plain descriptors.
const WORDS: [u32; 16] = [
    0,
    1,
    2,
    3,
    4,
    0xfffe,
    0xffff,
    0x1_0000,
    0x1_0001,
    0x7fff_ffff,
    0x8000_0000,
    u32::MAX,
    0x0d00_0040,
    0x0100_0040,
    0x0108_0003,
    0x0508_0003,
];

/// Changes an input of `length` bytes that lies in front of `data` and has `size` of them so far; gives
/// its new size, `max` at most. `others` is libFuzzer's own change.
#[inline]
pub fn change(
    data: &mut [u8],
    size: usize,
    max: usize,
    length: usize,
    seed: u32,
    others: impl FnOnce(&mut [u8], usize, usize) -> usize,
) -> usize {
    let random = mix(seed.into(), 0);
    if random.is_multiple_of(OTHERS) || max < length {
        return others(data, size, max);
    }
    let input = &mut data[..length];
    if size < length {
        // As it is read: bytes that are missing are zeros.
        input[size..].fill(0);
    }
    let number = (random >> 32) as u32;
    let at = (random >> 8 & 0xffff) as usize % length;
    match random >> 4 & 7 {
        0..=2 => input[at] ^= 1 << (number & 7),
        3 => input[at] = number as u8,
        4 => input[at] &= number as u8,
        5 => in_word(input, at, |_| WORDS[number as usize % WORDS.len()]),
        6 => in_word(input, at, |_| number),
        _ => in_word(input, at, |old| {
            old.wrapping_add(number & 15).wrapping_sub(7)
        }),
    }
    length
}

/// Changes the four bytes from a place on, or the last ones.
#[inline]
fn in_word(input: &mut [u8], at: usize, new: impl FnOnce(u32) -> u32) {
    let at = at.min(input.len().saturating_sub(4));
    if let Some(word) = input[at..].first_chunk_mut() {
        *word = new(u32::from_le_bytes(*word)).to_le_bytes();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LENGTH: usize = 17;

    /// Changes the first `size` of 64 bytes.
    fn changed(input: &[u8; 64], size: usize, seed: u32) -> ([u8; 64], usize) {
        let mut data = *input;
        let size = change(&mut data, size, 64, LENGTH, seed, |_, size, _| size);
        (data, size)
    }

    #[test]
    fn changes_stay_within_the_length_and_follow_from_the_seed() {
        let input = [0x5a; 64];
        for seed in 0..10_000 {
            for size in [1, 9, LENGTH] {
                let (data, new) = changed(&input, size, seed);
                assert!(
                    new == LENGTH || (new == size && data == input),
                    "seed {seed}"
                );
                assert_eq!(data[LENGTH..], input[LENGTH..], "seed {seed}");
                assert_eq!((data, new), changed(&input, size, seed));
            }
        }
    }

    #[test]
    fn what_is_missing_becomes_zeros() {
        let (mut near, mut all) = (0, 0);
        for seed in 0..1000 {
            let (data, new) = changed(&[0xff; 64], 4, seed);
            if new == LENGTH {
                all += 1;
                near += u32::from(data[4..LENGTH].iter().filter(|byte| **byte != 0).count() <= 4);
            }
        }
        assert!(all > 900 && near == all, "{near} of {all}");
    }

    #[test]
    fn every_bit_is_reached_alone_both_ways() {
        for fill in [0, 0xff] {
            let mut reached = [0; LENGTH];
            for seed in 0..20_000 {
                let (data, _) = changed(&[fill; 64], LENGTH, seed);
                let differing: Vec<(usize, u8)> = (0..LENGTH)
                    .map(|at| (at, data[at] ^ fill))
                    .filter(|(_, bits)| *bits != 0)
                    .collect();
                if let [(at, bits)] = differing[..]
                    && bits.is_power_of_two()
                {
                    reached[at] |= bits;
                }
            }
            assert_eq!(reached, [0xff; LENGTH]);
        }
    }

    #[test]
    fn some_changes_and_all_without_room_are_left_to_others() {
        let mut asked = 0;
        for seed in 0..1600 {
            change(&mut [0; 64], LENGTH, 64, LENGTH, seed, |_, size, _| {
                asked += 1;
                size
            });
        }
        assert!((60..140).contains(&asked), "{asked}");
        let size = change(&mut [0; 64], 3, LENGTH - 1, LENGTH, 1, |_, _, _| 5);
        assert_eq!(size, 5);
    }
}
