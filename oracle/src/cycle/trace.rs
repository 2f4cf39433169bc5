//! What a driver was seen to do.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::subject::cycle::Cursors;
use crate::wire::{Desc, Ring, hex};

/// One access, in program order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Act {
    /// Store of a word: CPU address, value.
    Store(u64, u32),
    /// Full barrier.
    Barrier,
    /// Register write: offset from the engine base, value.
    Write(u64, u32),
    /// Register read.
    Read(u64),
    /// A delay, in microseconds.
    Delay(u64),
    /// Loads of a word at a CPU address.
    Poll(u64, u64),
    /// Times a load at an address was followed by a delay of one microsecond.
    PollDelay(u64, u64),
    /// Acknowledge: the ring's cursors afterwards.
    Ack(Ring, [u32; 3]),
}

/// What recordings leave out, with the number of accesses before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Aside {
    /// Host memory was set: CPU address, byte, length.
    Fill(u64, u8, u64),
    /// A reset window was asked for, with the start of the attempt.
    Window(u64),
    /// User pages were pinned, or could not be: first page, count, whether.
    Pin(u64, u32, bool),
    /// User pages were given back.
    Unpin(u64, u32),
}

/// Descriptors, all of them or what a recording shows.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Descs {
    /// In order.
    All(Vec<Desc>),
    /// Some by their place in the order, and the digest of all.
    Shown {
        /// How many there are.
        count: u32,
        /// Place and descriptor.
        shown: Vec<(u32, Desc)>,
        /// SHA-256 over all of them, in hex.
        sha256: String,
    },
}

impl Descs {
    /// How many.
    pub fn count(&self) -> u32 {
        match self {
            Self::All(descs) => descs.len() as u32,
            Self::Shown { count, .. } => *count,
        }
    }
}

impl PartialEq for Descs {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::All(one), Self::All(other)) => one == other,
            (Self::All(descs), shown @ Self::Shown { .. })
            | (shown @ Self::Shown { .. }, Self::All(descs)) => shows(shown, descs),
            (
                Self::Shown {
                    count,
                    shown,
                    sha256,
                },
                Self::Shown {
                    count: other_count,
                    shown: other_shown,
                    sha256: other_sha256,
                },
            ) => (count, shown, sha256) == (other_count, other_shown, other_sha256),
        }
    }
}

fn shows(recorded: &Descs, descs: &[Desc]) -> bool {
    let Descs::Shown {
        count,
        shown,
        sha256,
    } = recorded
    else {
        return false;
    };
    *count as usize == descs.len()
        && shown
            .iter()
            .all(|(at, desc)| descs.get(*at as usize) == Some(desc))
        && digest(descs) == *sha256
}

/// SHA-256 over descriptors as they lie in memory, in hex.
pub fn digest(descs: &[Desc]) -> String {
    let mut hash = Sha256::new();
    for word in descs.iter().flat_map(|desc| desc.word) {
        hash.update(word.to_le_bytes());
    }
    hex_of(&hash.finalize())
}

/// Lower-case hex.
pub fn hex_of(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// One doorbell: what it handed over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bell {
    /// Side.
    pub ring: Ring,
    /// Slot of the first descriptor.
    pub start: u32,
    /// The descriptors.
    pub descs: Descs,
}

impl Bell {
    /// How many descriptors it handed over.
    pub fn count(&self) -> usize {
        match &self.descs {
            Descs::All(descs) => descs.len(),
            Descs::Shown { count, .. } => *count as usize,
        }
    }
}

/// Everything that a run showed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Trace {
    /// What each step gave, as [`super::Step`] says.
    pub results: Vec<Vec<i64>>,
    /// Accesses in order.
    pub acts: Vec<Act>,
    /// Accesses made by the end of each step.
    pub ends: Vec<usize>,
    /// What recordings leave out, each with the number of accesses before it.
    pub asides: Vec<(usize, Aside)>,
    /// Doorbells in order.
    pub bells: Vec<Bell>,
    /// Cursors at the end, TX and RX.
    pub cursors: Cursors,
    /// Where memory is not what the copies make of it: the first address of each region.
    pub wrong: Vec<u64>,
    /// What the engine or the machine found.
    #[serde(deserialize_with = "crate::whole::found")]
    pub engine: Vec<(&'static str, String)>,
}

/// Most lines of one list that are shown around its first difference.
const MOST_LINES: usize = 400;

impl Trace {
    /// Line by line, for people.
    pub fn lines(&self) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for (step, values) in self.results.iter().enumerate() {
            lines.push(format!("step {step} gives {values:?}"));
        }
        let mut asides = self.asides.iter().peekable();
        let mut acts: Vec<String> = Vec::new();
        for (at, act) in self.acts.iter().enumerate() {
            while let Some((_, aside)) = asides.next_if(|(before, _)| *before <= at) {
                acts.push(show_aside(aside));
            }
            acts.push(show_act(act));
        }
        acts.extend(asides.map(|(_, aside)| show_aside(aside)));
        acts.truncate(MOST_LINES);
        lines.extend(acts);
        let mut descs: Vec<String> = Vec::new();
        for (number, bell) in self.bells.iter().enumerate() {
            let (name, count) = (bell.ring.name(), bell.descs.count());
            descs.push(format!(
                "doorbell {number}: {name} from slot {}, {count} descriptors",
                bell.start
            ));
            match &bell.descs {
                Descs::All(all) => descs.extend(all.iter().map(|desc| format!("  {}", hex(desc)))),
                Descs::Shown { shown, sha256, .. } => {
                    descs.extend(
                        shown
                            .iter()
                            .map(|(at, desc)| format!("  [{at}] {}", hex(desc))),
                    );
                    descs.push(format!("  sha256 {sha256}"));
                }
            }
        }
        descs.truncate(MOST_LINES);
        lines.extend(descs);
        let [tx, rx] = self.cursors;
        lines.push(format!("cursors tx {tx:?} rx {rx:?}"));
        lines.extend(
            self.wrong
                .iter()
                .map(|at| format!("memory differs at {at:#x}")),
        );
        lines.extend(
            self.engine
                .iter()
                .map(|(rule, text)| format!("{rule}: {text}")),
        );
        lines
    }
}

fn show_act(act: &Act) -> String {
    match act {
        Act::Store(address, value) => format!("store {address:#x} = {value:#x}"),
        Act::Barrier => "barrier".into(),
        Act::Write(offset, value) => format!("write {offset:#x} = {value:#x}"),
        Act::Read(offset) => format!("read {offset:#x}"),
        Act::Delay(us) => format!("delay {us}"),
        Act::Poll(address, count) => format!("load {address:#x}, {count} times"),
        Act::PollDelay(address, count) => {
            format!("load {address:#x} and delay 1, {count} times")
        }
        Act::Ack(ring, [next, done, phase]) => {
            format!(
                "ack {}: next {next}, completed {done}, phase {phase}",
                ring.name()
            )
        }
    }
}

fn show_aside(aside: &Aside) -> String {
    match aside {
        Aside::Fill(address, byte, length) => {
            format!("fill {address:#x} with {byte:#x}, {length} bytes")
        }
        Aside::Window(started) => format!("reset window? began at {started}"),
        Aside::Pin(page, count, true) => format!("pin {page:#x}, {count} pages"),
        Aside::Pin(page, count, false) => format!("pin {page:#x}, {count} pages: refused"),
        Aside::Unpin(page, count) => format!("unpin {page:#x}, {count} pages"),
    }
}
