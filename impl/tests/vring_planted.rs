//! Every planted belief of the vring layer changes something that can be observed, so that a suite
//! which misses it has a gap and not an excuse.
#![cfg(feature = "mutants")]

mod common;

use common::{arch, cases, parse};
use std::fmt::Write;
use udma::io::Side;
use udma::vring::script::{Machine, Op};
use udma::vring::{PageGate, Transfer, Vring, VringSet, layout, pring_size};
use udma::{Arch, Desc};

fn machine(machine: &Machine, seen: &mut String) {
    let Machine {
        vring,
        prings,
        cache,
        holdings,
        ..
    } = machine;
    for side in [Side::Tx, Side::Rx] {
        let half = vring.half(side);
        write!(seen, "{} {} ", half.used(), vring.total(side)).unwrap();
        // The edges are enough: a hash of all would be slow at the cap.
        for index in (0..200)
            .chain(65530..65540)
            .chain(half.used().saturating_sub(3)..half.used())
        {
            write!(seen, "{:?}", half.get(index).map(Desc::words)).unwrap();
        }
    }
    for pring in prings.iter().flatten() {
        write!(seen, "{} {:?}", pring.used(), pring.memory()).unwrap();
    }
    if let Some(cache) = cache {
        write!(
            seen,
            "{} {} {} {} {}",
            cache.hits(),
            cache.misses(),
            cache.evictions(),
            cache.len(),
            cache.live()
        )
        .unwrap();
    }
    for ring in holdings.iter().flatten() {
        write!(seen, "{:?}", ring.half(Side::Tx).iter().collect::<Vec<_>>()).unwrap();
    }
}

/// Beyond the worked scripts: what they do not reach.
fn more(seen: &mut String) {
    for (structure, fields) in [
        ("vring", &["total_tx_size", "total_rx_size"][..]),
        ("half", &["is_template", "max_var_id"]),
        ("page", &["next", "prev"]),
        ("pring", &["used", "allocated"]),
    ] {
        for field in fields {
            write!(seen, "{:?}", layout::place(structure, field)).unwrap();
        }
    }
    let mut set = VringSet::new("load", true);
    while let Ok(vring) = set.add() {
        write!(seen, "{} {}", vring.name(), vring.stochastic_rounding()).unwrap();
    }
    write!(seen, "{}", pring_size(16_777_200, true)).unwrap();

    let mut script = vec![
        Op::Transfer(Transfer {
            src: 0x2000_0010_0000_0000,
            dst: 0x3000,
            size: 40_000 << 16,
            ordered: true,
        }),
        Op::Cache { capacity: 2 },
    ];
    // More variables than 16 bits, an offset above 32, and a list that differs at its end.
    let symbol = 0x2000_0000_0000_0000 | 1 << 36;
    let pointers = [
        symbol | 0xf_0000_0000,
        0x2000_0000_0000_0000 | 0x1_0001 << 36,
        symbol | 1 << 62,
    ];
    script.push(Op::Free);
    for pointer in pointers {
        script.push(Op::Raw {
            half: Side::Tx,
            desc: Desc::new(0x0d00_0001, 0x0108_0003, pointer),
        });
    }
    script.push(Op::Template {
        max_var_id: 0x1_0001,
    });
    script.push(Op::Cache { capacity: 2 });
    for last in [1u64, 2, 1, 3, 1] {
        let mut addresses: Vec<u64> = (0..0x1_0002).collect();
        addresses[0x1_0001] = last << 20;
        script.push(Op::Acquire { addresses });
        script.push(Op::Release {
            holding: script
                .iter()
                .filter(|op| matches!(op, Op::Acquire { .. }))
                .count()
                - 1,
        });
    }
    script.push(Op::Acquire {
        addresses: vec![0; 0x1_0002],
    });
    let mut state = Machine::new(Arch::Cayman);
    for op in &script {
        write!(seen, "{:?}", state.step(op)).unwrap();
        write!(seen, "{:?}", state.vring.half(Side::Tx).get(39_000)).unwrap();
    }
    machine(&state, seen);

    let mut vring = Vring::new("v");
    let two_pages = Transfer {
        size: 65537 << 16,
        ..Transfer::default()
    };
    vring.add_transfer(Arch::Cayman, &two_pages).unwrap();
    let mut pring = udma::vring::Pring::allocate(Side::Tx, 65600).unwrap();
    vring
        .dump(Side::Tx, &mut pring, &udma::vring::Dump::default())
        .unwrap();
    write!(seen, "{:?}{:?}", pring.slots()[0], pring.slots()[65536]).unwrap();
    vring.free();
    vring.set_page_gate(PageGate::budget(3));
    write!(seen, "{:?}", vring.add_transfer(Arch::Cayman, &two_pages)).unwrap();
    write!(seen, "{}", vring.half(Side::Rx).used()).unwrap();
}

fn observe(with_cap: bool) -> String {
    let mut seen = String::new();
    for case in cases("vring") {
        if case["id"] == "cap" && !with_cap {
            continue;
        }
        let mut state = Machine::new(arch(&case["in"]["arch"]));
        for op in case["in"]["script"].as_array().unwrap() {
            write!(seen, "{:?}", state.step(&parse(op))).unwrap();
        }
        machine(&state, &mut seen);
    }
    more(&mut seen);
    seen
}

#[test]
fn every_planted_belief_shows() {
    let list = concat!(env!("CARGO_MANIFEST_DIR"), "/../oracle/mutants.toml");
    let list = std::fs::read_to_string(list).unwrap();
    let numbers: Vec<u32> = list
        .lines()
        .filter_map(|line| line.strip_prefix("number = "))
        .map(|number| number.parse().unwrap())
        .filter(|number| (201..300).contains(number))
        .collect();
    assert!(numbers.len() > 60, "{}", numbers.len());
    let sound = [false, true].map(observe);
    let mut unseen = Vec::new();
    for number in numbers {
        let with_cap = [205, 222].contains(&number);
        udma::fault::choose(number);
        // A belief may also end in a panic: seen.
        let found = std::panic::catch_unwind(|| observe(with_cap));
        if found.is_ok_and(|found| found == sound[usize::from(with_cap)]) {
            unseen.push(number);
        }
    }
    udma::fault::choose(0);
    assert!(unseen.is_empty(), "{unseen:?}");
}
