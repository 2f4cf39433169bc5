use udma_oracle::law::pair::{broken, kind_of, required};
use udma_oracle::line::Line;
use udma_oracle::wire::{FILL, PairIn, PairOut, from_hex};

fn slots() -> PairOut {
    PairOut {
        tx: FILL,
        rx: FILL,
        ret: 77,
        unused: 0,
    }
}

// golden/copy_pair, cases 0 and 2: bytes recorded from the driver.
#[test]
fn recorded_pairs() {
    let recorded = [
        (
            PairIn {
                src: 0xb65e_7b6b_f24d_1b4a,
                dst: 0x2744_e26c_dcf6_79d2,
                size: 65536,
                ..PairIn::default()
            },
            "0000000c030008014a1b4df26b7b5eb6",
            "0000000000000000d279f6dc6ce24427",
        ),
        (
            PairIn {
                tx_ring_id: 1,
                src: 0xa798_a52d_3778_d454,
                dst: 0x0fe7_4be4_bd4a_b979,
                size: 65535,
                ..PairIn::default()
            },
            "ffff000d0300080154d478372da598a7",
            "ffff00000000000079b94abde44be70f",
        ),
    ];
    for (case, tx, rx) in recorded {
        for line in [Line::Kernel, Line::Hal] {
            let kind = kind_of(line, &case);
            let out = required(line, &case, kind, &slots());
            assert_eq!(out.tx, from_hex(tx).unwrap());
            assert_eq!(out.rx, from_hex(rx).unwrap());
        }
    }
}

#[test]
fn every_difference_is_blamed_on_a_rule() {
    let case = PairIn {
        size: 77,
        src: 5,
        dst: 6,
        arch: 3,
        ..PairIn::default()
    };
    let kind = kind_of(Line::Kernel, &case);
    let want = required(Line::Kernel, &case, kind, &slots());
    for bit in 0..256 {
        let mut got = want;
        let desc = if bit < 128 { &mut got.tx } else { &mut got.rx };
        desc.word[bit % 128 / 32] ^= 1 << (bit % 32);
        let rules = broken(Line::Kernel, &case, &slots(), &want, &got);
        assert!(!rules.is_empty(), "bit {bit}");
    }
    let refused = PairOut { ret: -1, ..slots() };
    assert!(!broken(Line::Kernel, &case, &slots(), &want, &refused).is_empty());
}
