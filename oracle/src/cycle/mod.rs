//! Runs of ring cycles: what is asked, the machine that a driver runs on, and what it was seen to
//! do there.

pub mod machine;
pub mod run;
pub mod trace;
mod watch;

use serde::{Deserialize, Serialize};

use crate::model::{Arch, Memory, Pattern, RegionError};
use crate::subject::cycle::{Contexts, Fill, Setup, Transfer, ZeroCopy};
use crate::wire::Ring;

/// Bytes of a page of user memory.
pub const PAGE: u64 = 4096;
/// CPU addresses that warm-ups copy between.
pub const WARM_UP: [u64; 2] = [0x1_7000_0000, 0x1_7800_0000];
/// Regions up to this many bytes are kept as bytes, larger ones as runs.
const MOST_BYTES: u64 = 1 << 20;

/// A run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// The queue.
    pub setup: Setup,
    /// Copies before, host to host, of which nothing is looked at: they place the cursors.
    #[serde(default)]
    pub warmup: Warmup,
    /// How the engine behaves.
    #[serde(default)]
    pub engine: Behaviour,
    /// Memory beyond rings, completion buffers, fill buffers and user pages.
    pub memory: Vec<Region>,
    /// The user buffer.
    #[serde(default)]
    pub user: User,
    /// What is asked, in order.
    pub steps: Vec<Step>,
}

/// Copies that came before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Warmup {
    /// How many.
    pub count: u32,
    /// Bytes of each.
    pub size: u64,
}

/// How the engine behaves where it does everything in order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Behaviour {
    /// Delay calls that go by before a batch is done.
    pub delay_calls: u64,
    /// Batches that are swallowed, the first ones.
    pub lost_batches: u64,
    /// How often the driver is told that its attempt began inside a reset window.
    pub in_reset_window: u64,
    /// Questions before those, which are answered with no.
    #[serde(default)]
    pub out_of_window: u64,
}

impl Behaviour {
    /// What the driver is told the `asked`th time that it asks about the window, from 0 on.
    pub fn began_in_window(&self, asked: u64) -> bool {
        asked
            .checked_sub(self.out_of_window)
            .is_some_and(|asked| asked < self.in_reset_window)
    }
}

/// Memory by DMA address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Region {
    /// First byte.
    pub start: u64,
    /// Bytes.
    pub length: u64,
    /// Seed of the stream that fills it; none for zeros.
    pub seed: Option<u64>,
}

/// A user buffer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct User {
    /// User address of its first page.
    pub page: u64,
    /// CPU address of each page.
    pub frames: Vec<u64>,
    /// Seed of the stream that fills it, page by page; none for zeros.
    pub seed: Option<u64>,
    /// Bytes of the stream that lie before the buffer's first byte; negative where the stream
    /// begins inside it.
    pub skip: i64,
}

/// One call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// A synchronous copy: code.
    Copy(Transfer),
    /// An asynchronous copy after a handle: code and handle.
    Submit(Transfer, i32),
    /// A wait: code.
    Wait(i32),
    /// A fill: code.
    Memset(Fill),
    /// Zero-copy with two contexts: code.
    ZeroCopy(ZeroCopy),
    /// Opens the context queue.
    Contexts(Contexts),
    /// Takes a copy into the context queue under a tag: code, state.
    Enqueue(ZeroCopy, u64),
    /// A synchronous copy through the context queue: code, state.
    ContextsCopy(ZeroCopy),
    /// At most so many rounds, until one moves nothing: state, states of the contexts.
    Advance(u32),
    /// Reads all completions: tags and codes.
    Pop,
}

impl Run {
    /// The architecture as the engine model has it.
    pub fn arch(&self) -> Arch {
        match self.setup.arch {
            2 => Arch::V2,
            3 => Arch::V3,
            _ => Arch::V4,
        }
    }

    /// All memory of the run as it is beforehand.
    ///
    /// # Errors
    /// Regions that overlap or do not fit.
    pub fn memory(&self) -> Result<Memory, RegionError> {
        let arch = self.arch();
        let mut memory = Memory::new();
        for ring in Ring::BOTH {
            let (base, size) = (
                self.setup.base[ring as usize],
                self.setup.size[ring as usize],
            );
            memory.add_bytes(base, u64::from(size) * 16)?;
        }
        memory.add_bytes(arch.host(self.setup.completion), 24)?;
        for region in &self.memory {
            let pattern = region.seed.map_or(Pattern::Repeat(0), Pattern::stream);
            add(&mut memory, region.start, region.length, pattern)?;
        }
        if self.warmup.count != 0 {
            for cpu in WARM_UP {
                memory.add_bytes(arch.host(cpu), self.warmup.size.max(1))?;
            }
        }
        let mut frames = self.user.frames.clone();
        frames.sort_unstable();
        frames.dedup();
        for frame in frames {
            memory.add_bytes(arch.host(frame), PAGE)?;
        }
        self.fill_user(&mut memory);
        let large = self.memory.iter().any(|region| region.length > MOST_BYTES);
        for step in &self.steps {
            let needed: &[(u64, u64)] = match step {
                Step::Memset(fill) => &[(fill.buffer, 65536)],
                Step::ZeroCopy(copy) => &copy.completion.map(|at| (at, 8)),
                Step::Contexts(open) => &[(open.completion, 8 * u64::from(open.capacity))],
                _ => &[],
            };
            for &(cpu, length) in needed {
                if !memory.contains(arch.host(cpu), length) {
                    let (start, zeros) = (arch.host(cpu), Pattern::Repeat(0));
                    if large {
                        // As runs, so that what is filled from there costs nothing.
                        memory.add_extents(start, length, zeros)?;
                    } else {
                        memory.add_bytes(start, length)?;
                    }
                }
            }
        }
        Ok(memory)
    }

    fn fill_user(&self, memory: &mut Memory) {
        let Some(seed) = self.user.seed else {
            return;
        };
        for (page, frame) in (0i64..).zip(&self.user.frames) {
            let at = page * PAGE as i64 + self.user.skip;
            let inside = (-at).clamp(0, PAGE as i64) as u64;
            let pattern = Pattern::stream(seed).skip(at.max(0) as u64);
            let start = self.arch().host(*frame) + inside;
            let filled = memory.fill(start, PAGE - inside, pattern);
            debug_assert!(filled.is_ok(), "every frame is memory");
        }
    }

    /// Whether the run is one that can be made: what a kept case must be.
    ///
    /// # Errors
    /// What is wrong.
    pub fn check(&self) -> Result<(), String> {
        let Setup {
            size, qid, chunk, ..
        } = self.setup;
        if size
            .iter()
            .any(|size| !size.is_power_of_two() || !(32..=1 << 16).contains(size))
        {
            return Err(format!(
                "ring sizes are {size:?}: powers of two from 32 to 65536"
            ));
        }
        if qid > 15 || chunk == 0 || chunk > 65536 {
            return Err(format!("queue {qid}, chunk {chunk}: 0..15, 1..65536"));
        }
        if !(2..=4).contains(&self.setup.arch) {
            return Err(format!("architecture {}: 2 to 4", self.setup.arch));
        }
        self.memory().map(drop).map_err(|error| error.to_string())
    }
}

fn add(memory: &mut Memory, start: u64, length: u64, pattern: Pattern) -> Result<(), RegionError> {
    if length > MOST_BYTES {
        return memory.add_extents(start, length, pattern);
    }
    memory.add_bytes(start, length)?;
    let filled = memory.fill(start, length, pattern);
    debug_assert!(filled.is_ok(), "the region was just added");
    Ok(())
}
