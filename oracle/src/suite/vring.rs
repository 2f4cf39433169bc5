//! Virtual rings: pages, layout, sets, copies, and random scripts over all of the layer (VRNG).

mod common;
pub mod dump;
pub mod edit;
pub mod pack;
pub mod pring;
pub mod template;
pub mod transfer;
mod worked;

use super::{Check, CheckError, Level};
use crate::cases::vring::{Layout, LayoutCase, RingLimit, RingLimitCase, Set, SetCase};
use crate::generate::vring::{DEEP_SCRIPTS, script_of_run};
use crate::session::Session;
use crate::subject::vring::{Op, Transfer};
use crate::wire::{Desc, Ring};
use common::{SCRIPT_RULES, attempt, chunks, plain, raw};

pub const CHECKS: &[Check] = &[
    Check {
        suite: "vring",
        name: "layout",
        rules: &["VRNG-1", "VRNG-2", "VRNG-3", "VRNG-6", "PRNG-1"],
        level: Level::Quick,
        run: layout,
    },
    Check {
        suite: "vring",
        name: "sets",
        rules: &["VRNG-1", "VRNG-6"],
        level: Level::Quick,
        run: sets,
    },
    Check {
        suite: "vring",
        name: "ring_limit",
        rules: &["VRNG-5", "PRNG-2"],
        level: Level::Quick,
        run: ring_limit,
    },
    Check {
        suite: "vring",
        name: "worked",
        rules: SCRIPT_RULES,
        level: Level::Quick,
        run: worked::vring,
    },
    Check {
        suite: "vring",
        name: "worked_packets",
        rules: &["BLDR-9", "BLDR-10", "BLDR-11", "BLDR-12"],
        level: Level::Quick,
        run: worked::packets,
    },
    Check {
        suite: "vring",
        name: "pages",
        rules: SCRIPT_RULES,
        level: Level::Quick,
        run: pages,
    },
    Check {
        suite: "vring",
        name: "refused_pages",
        rules: SCRIPT_RULES,
        level: Level::Quick,
        run: refused_pages,
    },
    Check {
        suite: "vring",
        name: "copies",
        rules: SCRIPT_RULES,
        level: Level::Quick,
        run: copies,
    },
    Check {
        suite: "vring",
        name: "scripts",
        rules: SCRIPT_RULES,
        level: Level::Heavy,
        run: scripts,
    },
    Check {
        suite: "vring",
        name: "cap",
        rules: SCRIPT_RULES,
        level: Level::Deep,
        run: cap,
    },
    Check {
        suite: "vring",
        name: "many_scripts",
        rules: SCRIPT_RULES,
        level: Level::Deep,
        run: many_scripts,
    },
];

/// Every member of the documented structures, and names that are none.
fn layout(session: &mut Session) -> Result<(), CheckError> {
    let known = crate::cases::vring::PLACES;
    let known = known.map(|(structure, field, ..)| (structure, field));
    let unknown = [
        ("vring", "links"),
        ("half", "next"),
        ("set", "name"),
        ("ring", ""),
    ];
    for (structure, field) in known.into_iter().chain(unknown) {
        let case = LayoutCase {
            structure: structure.into(),
            field: field.into(),
        };
        session.try_case::<Layout>(&|| format!("layout {structure}.{field}"), &case, None);
    }
    Ok(())
}

/// Names short, long, and cut; both flags.
fn sets(session: &mut Session) -> Result<(), CheckError> {
    for length in [0, 1, 8, 252, 253, 254, 255, 256, 300] {
        for rounding in [false, true] {
            let name = "load".chars().cycle().take(length).collect();
            let case = SetCase { name, rounding };
            session.try_case::<Set>(&|| format!("set of {length}"), &case, None);
        }
    }
    Ok(())
}

/// The vring that fits, and the power-of-two ring for it that the engine refuses.
fn ring_limit(session: &mut Session) -> Result<(), CheckError> {
    let counts = [
        64, 8_388_592, 8_388_593, 16_777_184, 16_777_199, 16_777_200, 16_777_216,
    ];
    for descriptors in counts {
        for wrap in [false, true] {
            let case = RingLimitCase { descriptors, wrap };
            session.try_case::<RingLimit>(&|| format!("ring for {descriptors}"), &case, None);
        }
    }
    Ok(())
}

/// Both halves over the end of a page: in one transfer, one descriptor after another, in a packet.
fn pages(session: &mut Session) -> Result<(), CheckError> {
    for (name, first) in [("65535", 65_535), ("65536", 65_536), ("65537", 65_537)] {
        let ops = vec![
            chunks(first),
            plain(0x40),
            raw(Ring::Rx, 0x50),
            Op::DeepCopy,
            Op::Free,
        ];
        attempt(session, &format!("pages {name}"), 3, ops);
    }
    let blocks = (0..6).map(|index| common::block(index, 16)).collect();
    let packet = Op::Packet(crate::subject::vring::Packet {
        blocks,
        ..Default::default()
    });
    let ops = vec![
        chunks(65_533),
        packet,
        Op::Pack {
            start: 65_530,
            end: 65_539,
            max_bytes: 1 << 20,
        },
        Op::DmbOnLastPacket,
        Op::Pack {
            start: 65_530,
            end: 65_539,
            max_bytes: 1,
        },
    ];
    attempt(session, "pages packet", 2, ops);
    Ok(())
}

/// A page that is refused leaves everything as it was, wherever in an operation that happens.
fn refused_pages(session: &mut Session) -> Result<(), CheckError> {
    let template = [
        Op::Template { max_var_id: 1 },
        raw(Ring::Tx, 1 << 61 | 1 << 36),
        raw(Ring::Rx, 0x50),
    ];
    for pages in 0..3 {
        let budget = Op::PageBudget { pages: Some(pages) };
        let open = Op::PageBudget { pages: None };
        let mut ops = vec![
            budget.clone(),
            plain(0x40),
            raw(Ring::Tx, 1),
            raw(Ring::Rx, 2),
        ];
        ops.extend([open.clone(), plain(0x41)]);
        attempt(session, &format!("refused first {pages}"), 3, ops);

        let mut ops = template.to_vec();
        ops.extend([Op::Cache { capacity: 2 }, budget.clone(), Op::DeepCopy]);
        ops.extend([Op::Cache { capacity: 1 }, plain(0x42)]);
        let acquire = |first: u64| Op::Acquire {
            addresses: vec![first, 7],
        };
        ops.extend([acquire(1), acquire(1), open, Op::DeepCopy, acquire(2)]);
        attempt(session, &format!("refused copy {pages}"), 3, ops);
    }
    // Pairs before the refused page go again, of either half.
    for pages in 0..5 {
        let ops = vec![
            Op::PageBudget { pages: Some(pages) },
            chunks(65_537),
            plain(0x40),
            raw(Ring::Tx, 1),
        ];
        attempt(session, &format!("refused later {pages}"), 3, ops);
    }
    Ok(())
}

/// A copy has everything of its original, and shares nothing with it.
fn copies(session: &mut Session) -> Result<(), CheckError> {
    for arch in 2..=4 {
        let transfer = Op::Transfer(Transfer {
            src: 1 << 61 | 3 << 36,
            dst: 0x5000,
            size: 200_000,
            ordered: true,
        });
        let acquire = Op::Acquire {
            addresses: vec![0x1000; 4],
        };
        let ops = vec![
            Op::DeepCopy,
            transfer.clone(),
            Op::Template { max_var_id: 9 },
            Op::DeepCopy,
            Op::Cache { capacity: 2 },
            transfer.clone(),
            acquire.clone(),
            Op::Free,
            Op::Free,
            acquire,
            Op::DeepCopy,
            transfer,
            raw(Ring::Rx, 0x7),
            Op::DeepCopy,
        ];
        attempt(session, "copies", arch, ops);
    }
    Ok(())
}

fn scripts(session: &mut Session) -> Result<(), CheckError> {
    some_scripts(session, session.options.cases / 50)
}

fn many_scripts(session: &mut Session) -> Result<(), CheckError> {
    some_scripts(session, DEEP_SCRIPTS.max(session.options.cases))
}

fn some_scripts(session: &mut Session, count: u64) -> Result<(), CheckError> {
    for number in 0..count {
        let script = script_of_run(session.options.seed, number);
        attempt(
            session,
            &format!("scripts#{number}"),
            script.arch,
            script.ops,
        );
        if session.done() {
            break;
        }
    }
    Ok(())
}

/// One below the cap, at it, and beyond; with the halves apart by one, either way.
fn cap(session: &mut Session) -> Result<(), CheckError> {
    let dump = |half| Op::Dump {
        half,
        pring: half,
        dump: crate::subject::vring::Dump::default(),
    };
    let pring = |half| Op::Pring {
        half,
        descriptors: 16_777_200,
        wrap: false,
        offset: 256,
    };
    let ops = vec![
        chunks(16_777_199),
        plain(0x40),
        plain(0x41),
        raw(Ring::Tx, 1),
        raw(Ring::Rx, 2),
        Op::Pack {
            start: 0,
            end: 16_777_200,
            max_bytes: 1 << 22,
        },
        pring(Ring::Tx),
        dump(Ring::Tx),
        Op::DeepCopy,
        Op::Free,
        plain(0x42),
    ];
    attempt(session, "cap", 3, ops);
    for (name, ahead) in [("cap tx ahead", Ring::Tx), ("cap rx ahead", Ring::Rx)] {
        let ops = vec![
            raw(ahead, 1),
            chunks(16_777_201),
            plain(0x40),
            Op::Raw {
                half: Ring::Tx,
                desc: Desc::default(),
            },
        ];
        attempt(session, name, 2, ops);
    }
    attempt(session, "cap whole", 4, vec![chunks(16_777_200), chunks(1)]);
    Ok(())
}
