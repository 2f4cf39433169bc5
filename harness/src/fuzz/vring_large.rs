//! Scripts on a virtual ring as large as a page, or as a half may be. They take a thousand times as
//! long as others: the hash of an input decides which few are.

use udma_oracle::cases::vring::Script;
use udma_oracle::generate::mix;
use udma_oracle::law::vring::{CAP, CHUNK, PAGE};
use udma_oracle::subject::vring::{Op, Transfer};
use udma_oracle::wire::{Desc, Ring};

use super::vring_script::{GUARD, Input, script};

/// One input in so many is long: it may cross the end of a page and move more than 2^32 bytes.
pub(super) const LONG: u64 = 512;
/// One long input in so many begins with more than a page, and ends with a dump of both halves: the
/// operations of an input seldom come to that (DUMP-2).
const DUMPED: u64 = 32;
/// One long input in so many is about the most that a half takes (VRNG-4, XFER-4), and about nothing
/// else: every subject holds half a gigabyte then.
const FULL: u64 = 256;
/// Most chunks that a long script authors.
const MOST_CHUNKS: u64 = 140_000;
/// Chunks that a transfer of a long input moves besides fewer than 256 of its own: a page less 128
/// (VRNG-3), so that one or two cross its end.
const NEARLY_A_PAGE: u64 = PAGE - 128;
/// Below so many pages are granted in a long input: one and two a half.
const FEW_PAGES: u32 = 4;
/// Slots of the prings of a dumped script besides two pages.
const MORE: u32 = 16_384;

/// The script of an input with this hash, if it is one of the few.
pub(super) fn large(input: &Input, hash: u64) -> Option<Script> {
    if !hash.is_multiple_of(LONG) {
        return None;
    }
    let hash = hash / LONG;
    Some(if hash % FULL == 1 {
        full(2 + input.arch % 3, hash / FULL)
    } else {
        long(input, hash.is_multiple_of(DUMPED).then_some(hash / DUMPED))
    })
}

fn chunks(count: u64, random: u64) -> Op {
    let transfer = Transfer {
        src: random >> 32,
        dst: 1 << 40 | random >> 24,
        size: count * CHUNK,
        ordered: random & 0x10 != 0,
    };
    if random & 0x20 == 0 {
        Op::Transfer(transfer)
    } else {
        Op::TransferEx(transfer)
    }
}

/// Every transfer nearly a page longer; dumped where there is a number that says what stands first.
fn long(input: &Input, dumped: Option<u64>) -> Script {
    let times = |transfer: Transfer| Transfer {
        size: transfer.size % (256 * CHUNK) + NEARLY_A_PAGE * CHUNK,
        ..transfer
    };
    let pring = |half, descriptors, wrap, offset| Op::Pring {
        half,
        descriptors: descriptors + 2 * PAGE as u32,
        wrap,
        offset,
    };
    let longer = |op| match op {
        Op::Transfer(transfer) => Op::Transfer(times(transfer)),
        Op::TransferEx(transfer) => Op::TransferEx(times(transfer)),
        Op::PageBudget { pages } => Op::PageBudget {
            pages: pages.map(|pages| pages % FEW_PAGES),
        },
        Op::Pring {
            half,
            descriptors,
            wrap,
            offset,
        } => pring(half, descriptors, wrap, offset),
        op => op,
    };
    let first = dumped.map(|number| chunks(PAGE + number % 256, mix(number, 0)));
    let ops = input.ops().map(longer);
    let mut script = script(input.arch, first.into_iter().chain(ops), MOST_CHUNKS);
    if let Some(number) = dumped {
        // Longer than the script can make a half, so that padding fits, too, to the brim or not
        // (DUMP-1, DUMP-3).
        let slots = 2 * PAGE as u32 + MORE + if number & 4 == 0 { GUARD } else { 0 };
        let padded = |bit: u64| (number & bit != 0).then_some(slots);
        // Too few for TX now and then: RX is dumped after it, and then not (DUMP-5).
        let few = |slots| if number & 16 == 0 { slots } else { 1 };
        script
            .ops
            .extend(Ring::BOTH.map(|half| pring(half, MORE, false, 256)));
        script.ops.push(Op::DumpBoth {
            tx_padded: padded(1).map(few),
            rx_padded: padded(2),
            scratch: mix(number, 1),
            free: number & 8 != 0,
        });
    }
    script
}

/// Both halves filled to their cap and beyond, one of them perhaps ahead of the other by one.
fn full(arch: u8, number: u64) -> Script {
    let random = mix(number, 0);
    let raw = |half| Op::Raw {
        half,
        desc: Desc::default(),
    };
    let mut ops = Vec::new();
    match number % 3 {
        0 => ops.push(raw(Ring::Tx)),
        1 => ops.push(raw(Ring::Rx)),
        _ => {}
    }
    ops.extend([
        chunks(CAP - 1 + random % 3, random),
        chunks(2, random >> 8),
        raw(Ring::Tx),
        raw(Ring::Rx),
    ]);
    Script { arch, ops }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input() -> Input {
        Input {
            arch: 1,
            ops: Vec::new(),
        }
    }

    #[test]
    fn few_inputs_are_large() {
        let all = 1 << 22;
        let (mut dumped, mut full) = (0, 0);
        for number in 0..all {
            let Some(script) = large(&input(), mix(7, number)) else {
                continue;
            };
            let ends_dumped = matches!(script.ops.last(), Some(Op::DumpBoth { .. }));
            dumped += u64::from(ends_dumped);
            full += u64::from(script.chunks() > CAP);
        }
        let near = |count: u64, every: u64| (all / every).abs_diff(count) < all / every / 2;
        assert!(near(dumped, LONG * DUMPED), "{dumped} dumped");
        assert!(near(full, LONG * FULL), "{full} full");
    }

    #[test]
    fn a_dumped_script_crosses_a_page_and_fits() {
        for number in 0..16 {
            let script = large(&input(), LONG * DUMPED * number).expect("a long script");
            let before = script.state_after(1);
            assert!(before.vring().halves[0].descs.len() as u64 >= PAGE);
            let mut last = script.state_after(script.ops.len() - 1);
            let outcome = last.run(script.ops.last().expect("a dump"));
            assert_eq!(outcome.code, 0);
        }
    }

    #[test]
    fn a_full_script_is_refused_beyond_the_cap() {
        for number in 0..9 {
            let script = full(3, number);
            assert!(script.chunks() > CAP, "{number}: {}", script.chunks());
        }
    }
}
