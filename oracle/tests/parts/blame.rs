//! A wrong answer is blamed on a rule and shown, whatever is wrong with it: by changing one thing of
//! what is required.

use udma_oracle::cases::operation::Outcome;
use udma_oracle::cases::packet::{Packet, PacketAnswer};
use udma_oracle::cases::pair::Pair;
use udma_oracle::cases::{bar0, cce, engine, iofic, opword, transpose};
use udma_oracle::family::Family;
use udma_oracle::generate;
use udma_oracle::line::Line;
use udma_oracle::subject::PacketIn;
use udma_oracle::wire::{Block, Desc};

use crate::inputs::ROWS;

/// A slot with one bit the other way, each in turn; none, and one that is to be left alone written.
fn changed_slots(slots: &[Option<Desc>]) -> Vec<Vec<Option<Desc>>> {
    let mut changed = Vec::new();
    for (at, slot) in slots.iter().enumerate() {
        let mut put = |slot| {
            let mut other = slots.to_vec();
            other[at] = slot;
            changed.push(other);
        };
        let Some(desc) = slot else {
            put(Some(Desc { word: [0; 4] }));
            continue;
        };
        put(None);
        for bit in 0..128 {
            let mut desc = *desc;
            desc.word[bit / 32] ^= 1 << (bit % 32);
            put(Some(desc));
        }
    }
    changed
}

/// A wrong answer is blamed on something and looks wrong.
fn told<F: Family>(line: Line, case: &F::Case, want: &F::Answer, got: &F::Answer) {
    let input = F::to_json(case);
    let broken = F::broken(line, case, want, got);
    let shown = [want, got].map(|answer| F::show(case, answer));
    assert!(!broken.is_empty(), "{} {input}: {shown:?}", F::NAME);
    assert_ne!(shown[0], shown[1], "{} {input}", F::NAME);
}

/// Outcomes of which one thing is another.
fn changed(want: &Outcome) -> Vec<Outcome> {
    let mut changed = Vec::new();
    for (at, value) in want.values.iter().enumerate() {
        for other in [value ^ 1, value ^ 1 << 9, value ^ 1 << 31] {
            let mut outcome = want.clone();
            outcome.values[at] = other;
            changed.push(outcome);
        }
    }
    changed.extend(changed_slots(&want.descs).into_iter().map(|descs| Outcome {
        descs,
        ..want.clone()
    }));
    if !want.events.is_empty() {
        let mut outcome = want.clone();
        outcome.events.pop();
        changed.push(outcome);
    }
    changed
}

/// Every input of a family that told a belief.
fn operation<F: Family<Answer = Outcome>>() {
    let mut tried = 0;
    for row in ROWS.iter().filter(|row| row["family"] == F::NAME) {
        let case = F::from_json(&row["found"]).expect("a case");
        for line in [Line::Kernel, Line::Hal] {
            let Some(want) = F::required(line, &case) else {
                continue;
            };
            assert!(F::broken(line, &case, &want, &want).is_empty());
            for got in changed(&want) {
                told::<F>(line, &case, &want, &got);
                tried += 1;
            }
        }
    }
    assert!(tried > 0, "{}", F::NAME);
}

#[test]
fn a_changed_outcome_is_told() {
    operation::<opword::SplitWord>();
    operation::<opword::TransposeWordOf>();
    operation::<opword::ReplicationWord>();
    operation::<opword::AddWord>();
    operation::<opword::MinMaxWord>();
    operation::<opword::FmaWord>();
    operation::<opword::CceExtWord>();
    operation::<opword::GradientWord>();
    operation::<opword::FmaFront>();
    operation::<opword::MinMaxFront>();
    operation::<opword::SeedFront>();
    operation::<opword::ReplicationFront>();
    operation::<opword::GradientFront>();
    operation::<opword::WordSet>();
    operation::<opword::FrontSet>();
    operation::<cce::Dtype>();
    operation::<cce::Remap>();
    operation::<cce::Combo>();
    operation::<cce::Reduction>();
    operation::<transpose::Transpose>();
    operation::<transpose::Window>();
    operation::<transpose::FlushPair>();
    operation::<transpose::Name>();
    operation::<bar0::Gate>();
    operation::<engine::Init>();
    operation::<engine::State>();
    operation::<engine::SetState>();
    operation::<iofic::Iofic>();
    operation::<iofic::Causes>();
}

#[test]
fn a_changed_pair_is_told() {
    let cases = generate::modes().into_iter().step_by(37);
    let mut tried = 0;
    for case in cases {
        for line in [Line::Kernel, Line::Hal] {
            let want = Pair::required(line, &case).expect("the rules say it all");
            for slots in changed_slots(&want.slots) {
                let mut got = want;
                got.slots.copy_from_slice(&slots);
                told::<Pair>(line, &case, &want, &got);
                tried += 1;
            }
            let mut got = want;
            got.ret ^= 1;
            told::<Pair>(line, &case, &want, &got);
        }
    }
    assert!(tried > 1000);
}

/// What is wrong with a packet's bits is one rule's or the other's, and if several bits are, each of theirs.
#[test]
fn a_changed_packet_is_told_by_its_bits() {
    // BLDR-10: DMB and the barriers and notification of TX, the interrupt of RX.
    let placed = |slot: usize, bit: usize| match slot {
        0..3 => matches!(bit, 30 | 58 | 60),
        _ => bit == 28,
    };
    let block = |at: u64| Block {
        src: at << 20,
        dst: at << 30,
        size: 4096,
    };
    for mode in 1..=3 {
        let case = PacketIn {
            blocks: (1..=3).map(block).collect(),
            rx_ring_id: 1,
            tx_ring_id: 2,
            mode,
            dst_int: true,
            sow: false,
            notify: true,
            arch: 4,
        };
        let want = Packet::required(Line::Hal, &case).expect("the rules say it all");
        assert_eq!(want.ret, 0);
        let slots = || (0..3).flat_map(|at| (0..128).map(move |bit| (at, bit)));
        let all: Vec<(usize, usize)> = slots()
            .chain(slots().map(|(at, bit)| (at + 3, bit)))
            .collect();
        let flip = |answer: &mut PacketAnswer, (slot, bit): (usize, usize)| {
            let half = if slot < 3 {
                &mut answer.tx
            } else {
                &mut answer.rx
            };
            let desc = half[slot % 3].as_mut().expect("a written slot");
            desc.word[bit / 32] ^= 1 << (bit % 32);
        };
        for (at, first) in all.iter().enumerate() {
            // With itself: one alone.
            for second in all[at..].iter().step_by(29) {
                let mut got = want.clone();
                flip(&mut got, *first);
                if first != second {
                    flip(&mut got, *second);
                }
                let mut rules = [*first, *second].map(|(slot, bit)| {
                    if placed(slot, bit) {
                        "BLDR-10"
                    } else {
                        "BLDR-9"
                    }
                });
                rules.sort_unstable();
                let mut broken = Packet::broken(Line::Hal, &case, &want, &got);
                broken.sort_unstable();
                let mut required = rules.to_vec();
                required.dedup();
                assert_eq!(broken, required, "mode {mode}: {first:?} {second:?}");
                told::<Packet>(Line::Hal, &case, &want, &got);
            }
        }
        for slots in changed_slots(&want.tx) {
            let got = PacketAnswer {
                tx: slots,
                ..want.clone()
            };
            told::<Packet>(Line::Hal, &case, &want, &got);
        }
    }
}
