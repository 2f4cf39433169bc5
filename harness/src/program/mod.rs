//! Programs: what the harness runs on a model, on a virtual device and on a real one.
//!
//! A program names buffers and rings, the steps that are taken with them, and what must come of it.
//! It holds no address and no engine number: every backend resolves its buffers and rings for
//! itself. Programs are JSON files (`corpora/schema/program.schema.json`) or are written in Rust
//! with [`build::Author`].
//!
//! ```
//! use udma_harness::program::{Program, read};
//!
//! let text = r#"{
//!   "format": "udma-program/1", "name": "four-bytes", "about": "one pair", "rules": ["BLDR-1"],
//!   "buffers": [
//!     {"name": "src", "place": "host", "size": 4096, "fill": {"stream": 1}},
//!     {"name": "dst", "place": "device", "size": 4096, "fill": {"byte": 0}}
//!   ],
//!   "rings": [{"name": "q", "engine": 0, "queue": 0, "tx": 64, "rx": 64}],
//!   "steps": [
//!     {"op": "copy", "ring": "q", "src": "src", "dst": "dst+8", "size": 4, "mode": "write_barrier"},
//!     {"op": "marker", "ring": "q"},
//!     {"op": "doorbell", "ring": "q"},
//!     {"op": "wait", "ring": "q"},
//!     {"op": "ack", "ring": "q"}
//!   ],
//!   "outcomes": [{"memory": [{"at": "dst+8", "is": [{"of": "src", "size": 4}]}]}]
//! }"#;
//! let program: Program = read::parse(text, "four-bytes.json")?;
//! assert_eq!(program.steps.len(), 5);
//! # Ok::<(), udma_harness::program::read::ProgramError>(())
//! ```

pub mod build;
pub mod check;
pub mod fill;
pub mod number;
pub mod read;
pub mod script;
pub mod step;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use fill::{Fill, Piece};
pub use number::{At, Number};
pub use step::{Op, Step};

/// Value of `format`.
pub const FORMAT: &str = "udma-program/1";

/// One program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// Unique in a corpus; the file's name without `.json`.
    pub name: String,
    /// What it is for, in a sentence.
    pub about: String,
    /// Rules that a difference is blamed on where nothing closer names one; the first is the main
    /// one.
    pub rules: Vec<String>,
    /// Marks.
    pub tags: Vec<Tag>,
    /// Architectures it is for; empty for all.
    pub archs: Vec<Arch>,
    /// Memory.
    pub buffers: Vec<Buffer>,
    /// Queues.
    pub rings: Vec<Ring>,
    /// What is done, in order.
    pub steps: Vec<Step>,
    /// What may come of it: one outcome, or for ordering litmus several.
    pub outcomes: Vec<Expected>,
}

/// A mark of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tag {
    /// May stop an engine or leave it in error: refused on a device without `--allow-disturbing`.
    DisturbsDevice,
    /// A set of outcomes, each of which occurs on the weakest engine.
    Litmus,
}

/// Architecture, by its number.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Arch {
    /// SUNDA.
    V2,
    /// CAYMAN.
    #[default]
    V3,
    /// MARIANA.
    V4,
}

impl Arch {
    /// All, lowest number first.
    pub const ALL: [Self; 3] = [Self::V2, Self::V3, Self::V4];

    /// Its number.
    pub const fn number(self) -> u32 {
        self as u32 + 2
    }

    /// The architecture of a number.
    pub fn from_number(number: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|arch| arch.number() == number)
    }

    /// DRAM channels of a device: as many as the virtual device has; larger numbers never exist.
    pub const fn channels(self) -> u32 {
        match self {
            Self::V2 => 2,
            Self::V3 | Self::V4 => 4,
        }
    }

    /// `v2`, `v3`, `v4`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::V2 => "v2",
            Self::V3 => "v3",
            Self::V4 => "v4",
        }
    }
}

impl std::str::FromStr for Arch {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|arch| arch.name() == name);
        found.ok_or_else(|| format!("architecture {name:?} is not known: v2, v3, v4"))
    }
}

impl From<Arch> for udma::Arch {
    fn from(arch: Arch) -> Self {
        match arch {
            Arch::V2 => Self::Sunda,
            Arch::V3 => Self::Cayman,
            Arch::V4 => Self::Mariana,
        }
    }
}

impl From<Arch> for udma_oracle::model::Arch {
    fn from(arch: Arch) -> Self {
        match arch {
            Arch::V2 => Self::V2,
            Arch::V3 => Self::V3,
            Arch::V4 => Self::V4,
        }
    }
}

/// Where memory is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Place {
    /// Host memory, reached by the engine through the host window (HOST-1).
    #[default]
    Host,
    /// Memory of the device.
    Device,
}

/// A piece of memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Buffer {
    /// Name, by which places refer to it.
    pub name: String,
    /// Where it is.
    pub place: Place,
    /// Bytes. It lies at the end of its allocation, so that nothing follows its last byte.
    pub size: Number,
    /// What it holds before the first step.
    pub fill: Fill,
}

/// A queue: a pair of rings with their memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ring {
    /// Name.
    pub name: String,
    /// Engine, counted from 0: rings of the same number share one. A backend takes any that are free.
    #[serde(default)]
    pub engine: u32,
    /// Queue of the engine, likewise.
    #[serde(default)]
    pub queue: u32,
    /// Descriptors of the TX ring.
    pub tx: u32,
    /// Descriptors of the RX ring.
    pub rx: u32,
    /// Where the rings are.
    #[serde(default, skip_serializing_if = "is_default")]
    pub place: Place,
    /// Whether the queue is initialised before the first step. Otherwise an `init` step does it.
    #[serde(default = "yes", skip_serializing_if = "is_yes")]
    pub init: bool,
}

/// What may come of a program. What is not listed must be as it was: buffers hold their fill, every
/// step gives the code it states.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expected {
    /// Memory that has changed in the end.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub memory: Vec<Patch>,
    /// Bytes of `read` steps, by their names.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub reads: BTreeMap<String, Vec<Piece>>,
    /// Descriptors of `copy_out` steps, by their names.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub copied: BTreeMap<String, Vec<Slot>>,
    /// What `state` and other asking steps gave, by their names: field, value.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub states: BTreeMap<String, BTreeMap<String, Value>>,
    /// Cursors in the end, by ring.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub rings: BTreeMap<String, Cursors>,
}

/// A range of memory and what it holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Patch {
    /// First byte; inside a buffer.
    pub at: At,
    /// Contents, piece by piece.
    pub is: Vec<Piece>,
}

/// A descriptor that is copied out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Slot {
    /// word0.
    pub word0: Number,
    /// word1.
    pub word1: Number,
    /// Pointer.
    pub pointer: At,
}

impl Slot {
    /// Of its words and its pointer.
    pub fn new(word0: u64, word1: u64, pointer: impl Into<At>) -> Self {
        Self {
            word0: Number(word0),
            word1: Number(word1),
            pointer: pointer.into(),
        }
    }
}

/// A value of a state: a number, or an address by the buffer or ring it belongs to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// A number.
    Number(Number),
    /// A place: `q.tx`, `src+0x10`.
    Place(At),
}

/// Cursors of the two rings of a queue.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cursors {
    /// TX ring.
    pub tx: Cursor,
    /// RX ring.
    pub rx: Cursor,
}

/// Cursors of one ring; what is left out is not judged.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cursor {
    /// Slot that is staged next (RING-3).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<u32>,
    /// Slot that is acknowledged next (RING-5).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub acked: Option<u32>,
    /// Phase of the next descriptor (RING-4).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase: Option<u32>,
    /// Tail as the device reports it (REGS-2).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tail: Option<u32>,
    /// Head as the device reports it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub head: Option<u32>,
}

/// Whether a value is its type's default: left out of files.
pub fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

fn yes() -> bool {
    true
}

#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_yes(value: &bool) -> bool {
    *value
}

impl Program {
    /// Whether it bears a mark.
    pub fn is(&self, tag: Tag) -> bool {
        self.tags.contains(&tag)
    }

    /// Whether it is for an architecture.
    pub fn suits(&self, arch: Arch) -> bool {
        self.archs.is_empty() || self.archs.contains(&arch)
    }

    /// A buffer by its name.
    pub fn buffer(&self, name: &str) -> Option<&Buffer> {
        self.buffers.iter().find(|buffer| buffer.name == name)
    }

    /// A ring by its name.
    pub fn ring(&self, name: &str) -> Option<&Ring> {
        self.rings.iter().find(|ring| ring.name == name)
    }

    /// Rules that it or a step of it names.
    pub fn named_rules(&self) -> impl Iterator<Item = &str> {
        let steps = self.steps.iter().flat_map(|step| &step.rules);
        self.rules.iter().chain(steps).map(String::as_str)
    }

    /// Bytes of all buffers.
    pub fn bytes(&self) -> u64 {
        self.buffers.iter().map(|buffer| buffer.size.0).sum()
    }
}
