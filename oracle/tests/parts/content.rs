//! What a stretch of memory holds.

use udma_oracle::model::Pattern;
use udma_oracle::model::extents::{Content, Extents};

#[test]
fn known_outputs_and_any_entry() {
    // First outputs of splitmix64 from state 1234567, as published with the generator.
    let mut bytes = [0; 40];
    Pattern::stream(1_234_567).fill(&mut bytes);
    assert_eq!(bytes[..8], 6_457_827_717_110_365_317u64.to_le_bytes());
    assert_eq!(bytes[8..16], 3_203_168_211_198_807_973u64.to_le_bytes());
    for skip in 0..40 {
        for end in skip..40 {
            let mut part = vec![0; end - skip];
            Pattern::stream(1_234_567).skip(skip as u64).fill(&mut part);
            assert_eq!(part, bytes[skip..end]);
        }
    }
    bytes[33] ^= 1;
    assert_eq!(
        Pattern::stream(1_234_567).first_difference(&bytes),
        Some(33)
    );
}

#[test]
fn a_stream_written_in_any_order_is_one_run() {
    let stream = Pattern::stream(7);
    let mut extents = Extents::new(1 << 20, Pattern::Repeat(0));
    extents.expect(stream);
    let mut order: Vec<u64> = (0..16).collect();
    order.reverse();
    order.swap(3, 9);
    for at in order {
        let mut bytes = vec![0; 65536];
        stream.skip(at * 65536).fill(&mut bytes);
        extents.write(at * 65536, &bytes);
    }
    assert_eq!(extents.runs(), 1);
    assert_eq!(extents.first_difference(0, 1 << 20, stream), None);
}

#[test]
fn agrees_with_plain_bytes() {
    let mut extents = Extents::new(200, Pattern::Repeat(3));
    let mut plain = vec![3; 200];
    let mut state = 1u64;
    for round in 0..2000u64 {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let offset = (state >> 33) % 200;
        let length = 1 + (state >> 45) % (200 - offset);
        let part = &mut plain[offset as usize..(offset + length) as usize];
        match round % 3 {
            0 => {
                Pattern::stream(round).fill(part);
                extents.put(offset, length, Content::Pattern(Pattern::stream(round)));
            }
            1 => {
                Pattern::stream(!round).fill(part);
                extents.write(offset, part);
            }
            _ => {
                part.fill(9);
                extents.put(offset, length, Content::Pattern(Pattern::Repeat(9)));
            }
        }
        let mut read = vec![0; 200];
        extents.read(0, &mut read);
        assert_eq!(read, plain);
        let first = plain.iter().position(|byte| *byte != 9).map(|at| at as u64);
        assert_eq!(extents.first_difference(0, 200, Pattern::Repeat(9)), first);
    }
}
