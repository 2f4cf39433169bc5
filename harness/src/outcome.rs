//! What came of a program on one backend, in the program's own names.

use std::collections::BTreeMap;
use std::fmt;

use crate::program::{At, Cursors, Value};

/// Added to a handle that is given in place of the one that a step states (ASYN-1): a code that no
/// driver has.
pub const WRONG_HANDLE: i64 = 1 << 32;

/// Which step: its index, and within a `repeat` the index there.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StepPath(pub Vec<usize>);

impl StepPath {
    /// The step `index` of the steps at this place.
    #[must_use]
    pub fn inner(&self, index: usize) -> Self {
        let mut path = self.0.clone();
        path.push(index);
        Self(path)
    }
}

impl fmt::Display for StepPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (depth, index) in self.0.iter().enumerate() {
            let dot = if depth == 0 { "" } else { "." };
            write!(f, "{dot}steps[{index}]")?;
        }
        Ok(())
    }
}

/// A descriptor that was copied out, its pointer by name where it points into the program's memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenSlot {
    /// word0.
    pub word0: u32,
    /// word1.
    pub word1: u32,
    /// Pointer as it is.
    pub raw: u64,
    /// Pointer by name.
    pub pointer: At,
}

/// Everything that a run gives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Codes of the steps that were taken; of a repeated one the first that is not 0.
    pub codes: BTreeMap<StepPath, i64>,
    /// Whether the marker came, for every `wait`.
    pub waits: BTreeMap<StepPath, bool>,
    /// Buffers in the end, by name.
    pub memory: BTreeMap<String, Vec<u8>>,
    /// Bytes of `read` steps.
    pub reads: BTreeMap<String, Vec<u8>>,
    /// Descriptors of `copy_out` steps.
    pub copied: BTreeMap<String, Vec<SeenSlot>>,
    /// Answers of asking steps.
    pub states: BTreeMap<String, BTreeMap<String, Value>>,
    /// Cursors in the end.
    pub rings: BTreeMap<String, Cursors>,
    /// What was wrong after everything was given back: rule, what.
    pub leftovers: Vec<(String, String)>,
}

impl Outcome {
    /// Notes the code of a step.
    pub fn code(&mut self, step: &StepPath, code: i64) {
        let noted = self.codes.entry(step.clone()).or_default();
        if *noted == 0 {
            *noted = code;
        }
    }

    /// Notes whether a marker came.
    pub fn wait(&mut self, step: &StepPath, came: bool) {
        *self.waits.entry(step.clone()).or_insert(true) &= came;
    }
}

/// The range of a buffer that a step wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// Buffer.
    pub buffer: String,
    /// First byte.
    pub start: u64,
    /// Bytes.
    pub length: u64,
    /// The step that asked for it.
    pub step: StepPath,
}
