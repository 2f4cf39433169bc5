//! What the suites of virtual rings share.

use crate::cases::vring::{Script, Vring};
use crate::family::Family as _;
use crate::law::vring::CHUNK;
use crate::law::word::meta;
use crate::line::Line;
use crate::session::Session;
use crate::subject::vring::{Op, Transfer};
use crate::wire::{Block, Desc, Ring};

/// Rules that a script can break.
pub const SCRIPT_RULES: &[&str] = &[
    "VRNG-2", "VRNG-3", "VRNG-4", "VRNG-7", "XFER-1", "XFER-2", "XFER-3", "XFER-4", "XFER-5",
    "XFER-6", "XFER-7", "PACK-1", "PACK-2", "PACK-3", "PACK-4", "PACK-5", "EDIT-1", "EDIT-2",
    "EDIT-3", "EDIT-4", "TMPL-1", "TMPL-2", "TMPL-3", "DUMP-1", "DUMP-2", "DUMP-3", "DUMP-4",
    "DUMP-5", "PRNG-1", "PRNG-2", "BLDR-9", "BLDR-10", "BLDR-12",
];

/// Tries a script; what it requires is worked out once for all subjects.
pub fn attempt(session: &mut Session, origin: &str, arch: u8, ops: Vec<Op>) {
    let mut lines = session.subjects.iter().map(|subject| subject.line());
    let asked = lines.any(|line| line == Line::Hal);
    let script = Script { arch, ops };
    if !asked || session.done() {
        return;
    }
    if !session.next_is_ours() {
        session.next_case();
        return;
    }
    let want = Vring::required(Line::Hal, &script);
    let recorded = want.as_ref().map(|want| (Line::Hal, want));
    session.try_case::<Vring>(&|| origin.into(), &script, recorded);
}

/// A transfer of so many full chunks.
pub fn chunks(count: u64) -> Op {
    Op::Transfer(Transfer {
        src: 0x1_0000,
        dst: 1 << 44,
        size: count * CHUNK,
        ordered: false,
    })
}

/// A transfer of one pair.
pub fn plain(size: u64) -> Op {
    Op::Transfer(Transfer {
        src: 0x1000,
        dst: 0x2000,
        size,
        ordered: false,
    })
}

/// A block of a packet.
pub fn block(index: u64, size: u64) -> Block {
    Block {
        src: 0x1000 + index * 0x1_0000,
        dst: 0x9000_0000 + index * 0x1_0000,
        size,
    }
}

/// A plain descriptor of one byte.
pub fn raw(half: Ring, pointer: u64) -> Op {
    let (word0, word1) = match half {
        Ring::Tx => (0x0d00_0001, meta::PLAIN_COPY),
        Ring::Rx => (0x0100_0001, 0),
    };
    words(half, word0, word1, pointer)
}

/// A descriptor of any words.
pub fn words(half: Ring, word0: u32, word1: u32, pointer: u64) -> Op {
    Op::Raw {
        half,
        desc: Desc {
            word: [word0, word1, pointer as u32, (pointer >> 32) as u32],
        },
    }
}
