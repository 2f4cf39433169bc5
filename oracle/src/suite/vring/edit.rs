//! Edits (EDIT).

use super::common::{SCRIPT_RULES, attempt, block, plain, raw, words};
use super::{Check, CheckError, Level};
use crate::law::word::{meta, word0};
use crate::session::Session;
use crate::subject::vring::{Op, Packet};
use crate::wire::Ring;

pub const CHECKS: &[Check] = &[
    Check {
        suite: "edit",
        name: "last_packet",
        rules: SCRIPT_RULES,
        level: Level::Quick,
        run: last_packet,
    },
    Check {
        suite: "edit",
        name: "windows",
        rules: SCRIPT_RULES,
        level: Level::Quick,
        run: windows,
    },
    Check {
        suite: "edit",
        name: "semaphores",
        rules: SCRIPT_RULES,
        level: Level::Quick,
        run: semaphores,
    },
];

/// The last packet of one descriptor, of several, after others, and none at all.
fn last_packet(session: &mut Session) -> Result<(), CheckError> {
    let dmb = Op::DmbOnLastPacket;
    for arch in 2..=4 {
        let packet = |count: u64| {
            Op::Packet(Packet {
                mode: 1,
                blocks: (0..count).map(|index| block(index, 64)).collect(),
                ..Packet::default()
            })
        };
        let ops = vec![
            dmb.clone(),
            packet(3),
            dmb.clone(),
            plain(64),
            dmb.clone(),
            packet(5),
            packet(2),
            dmb.clone(),
            dmb.clone(),
        ];
        attempt(session, "last_packet", arch, ops);
        let middle = words(
            Ring::Tx,
            word0::CONCAT | 1 << 24 | 4,
            meta::PLAIN_COPY,
            0x10,
        );
        attempt(session, "no packet", arch, vec![middle, dmb.clone()]);
        let ops = vec![raw(Ring::Rx, 1), dmb.clone(), raw(Ring::Tx, 2), dmb.clone()];
        attempt(session, "no tx", arch, ops);
    }
    Ok(())
}

/// Windows at both ends of the addresses and over them, with pointers on and beside each border.
fn windows(session: &mut Session) -> Result<(), CheckError> {
    let windows: [(u64, u64); 10] = [
        (0, 0x1000),
        (0x4000, 0x1000),
        (u64::MAX - 0xfff, 0x1000),
        (u64::MAX - 0xfff, 0x2000),
        (u64::MAX, 1),
        (u64::MAX, 2),
        (0, u64::MAX),
        (1, u64::MAX),
        (0x8000_0000_0000_0000, 0x8000_0000_0000_0000),
        (0x4000, 0),
    ];
    for (base, size) in windows {
        for new_base in [0, 0x7777_0000, u64::MAX - 0x10, base] {
            let mut ops = Vec::new();
            for border in [base, base.wrapping_add(size), 0, 1 << 61, 1 << 63] {
                for beside in [border.wrapping_sub(1), border, border.wrapping_add(1)] {
                    ops.extend([raw(Ring::Tx, beside), raw(Ring::Rx, beside)]);
                }
            }
            // Words 2 and 3 of a META descriptor are no pointer (DESC-2).
            ops.push(words(
                Ring::Tx,
                word0::META | 0x0500_0040,
                0x0400_0000,
                base,
            ));
            ops.push(Op::AddrRewrite {
                base,
                size,
                new_base,
            });
            attempt(session, &format!("windows {base:#x}+{size:#x}"), 3, ops);
        }
    }
    Ok(())
}

fn semaphores(session: &mut Session) -> Result<(), CheckError> {
    for arch in 2..=4 {
        for enabled in [false, true] {
            let wanted = Op::SemaphoreWanted { enabled };
            let embed = Op::EmbedSemaphore {
                enabled,
                set_sow: true,
                csr_index: 0xff,
                semaphore: 0xffff,
            };
            let ops = vec![
                wanted.clone(),
                embed.clone(),
                raw(Ring::Tx, 0x10),
                wanted.clone(),
                plain(70_000),
                wanted.clone(),
                embed.clone(),
                wanted.clone(),
                embed.clone(),
                plain(64),
                wanted.clone(),
                Op::Free,
                wanted.clone(),
                embed.clone(),
                words(Ring::Rx, word0::CONCAT | 1 << 24 | 4, 0, 0x30),
                wanted,
                embed,
            ];
            attempt(session, "semaphores", arch, ops);
        }
    }
    Ok(())
}
