//! Programs written in Rust.

use std::collections::BTreeMap;

use super::script::Authored;
pub use super::step::Mode;
use super::step::{Block, Raw, Side};
use super::{
    Arch, At, Buffer, Cursor, Cursors, Expected, Fill, Number, Op, Patch, Piece, Place, Program,
    Ring, Slot, Step, Tag, Value,
};

/// Writes one program down, step by step.
///
/// ```
/// use udma_harness::program::build::{Author, Mode, stream};
///
/// let mut author = Author::new("four-bytes", "one pair", &["BLDR-1"]);
/// author.host("src", 4096, stream(1)).device("dst", 4096, stream(2)).ring("q", 64);
/// author.copy("q", "src", "dst+8", 4, Mode::WriteBarrier).finish("q");
/// author.holds("dst+8", "src", 4);
/// assert_eq!(author.done().steps.len(), 5);
/// ```
#[derive(Clone, Debug)]
pub struct Author {
    program: Program,
    outcome: usize,
}

/// A splitmix64 fill.
pub fn stream(seed: u64) -> Fill {
    Fill::Stream(Number(seed))
}

impl Author {
    /// A program without steps and with one outcome: nothing changes.
    pub fn new(name: &str, about: &str, rules: &[&str]) -> Self {
        let program = Program {
            name: name.into(),
            about: about.into(),
            rules: rules.iter().map(ToString::to_string).collect(),
            tags: Vec::new(),
            archs: Vec::new(),
            buffers: Vec::new(),
            rings: Vec::new(),
            steps: Vec::new(),
            outcomes: vec![Expected::default()],
        };
        Self {
            program,
            outcome: 0,
        }
    }

    /// Marks it.
    pub fn tag(&mut self, tag: Tag) -> &mut Self {
        self.program.tags.push(tag);
        self
    }

    /// Limits it to architectures.
    pub fn only(&mut self, archs: &[Arch]) -> &mut Self {
        self.program.archs = archs.to_vec();
        self
    }

    /// A host buffer.
    pub fn host(&mut self, name: &str, size: u64, fill: Fill) -> &mut Self {
        self.buffer(name, Place::Host, size, fill)
    }

    /// A device buffer.
    pub fn device(&mut self, name: &str, size: u64, fill: Fill) -> &mut Self {
        self.buffer(name, Place::Device, size, fill)
    }

    /// A buffer.
    pub fn buffer(&mut self, name: &str, place: Place, size: u64, fill: Fill) -> &mut Self {
        self.program.buffers.push(Buffer {
            name: name.into(),
            place,
            size: Number(size),
            fill,
        });
        self
    }

    /// A queue with rings of `size` descriptors in host memory; each further ring of a program is
    /// the next queue of engine 0.
    pub fn ring(&mut self, name: &str, size: u32) -> &mut Self {
        let queue = self.program.rings.len() as u32;
        self.ring_as(Ring {
            name: name.into(),
            engine: 0,
            queue,
            tx: size,
            rx: size,
            place: Place::Host,
            init: true,
        })
    }

    /// A queue, member by member.
    pub fn ring_as(&mut self, ring: Ring) -> &mut Self {
        self.program.rings.push(ring);
        self
    }

    /// A step that gives 0.
    pub fn step(&mut self, op: Op) -> &mut Self {
        self.step_code(op, 0, &[])
    }

    /// A step that gives a code, and the rules it is there for.
    pub fn step_code(&mut self, op: Op, code: i64, rules: &[&str]) -> &mut Self {
        self.program.steps.push(Step {
            op,
            code,
            rules: rules.iter().map(ToString::to_string).collect(),
        });
        self
    }

    /// Names the rules of the last step.
    pub fn blame(&mut self, rules: &[&str]) -> &mut Self {
        if let Some(step) = self.program.steps.last_mut() {
            step.rules = rules.iter().map(ToString::to_string).collect();
        }
        self
    }

    /// Gives an earlier step a code and rules.
    pub fn code_of(&mut self, step: usize, code: i64, rules: &[&str]) -> &mut Self {
        if let Some(step) = self.program.steps.get_mut(step) {
            step.code = code;
            step.rules = rules.iter().map(ToString::to_string).collect();
        }
        self
    }

    /// Puts the steps from `first` on into a `repeat`.
    pub fn repeat_from(&mut self, first: usize, times: u32) -> &mut Self {
        let steps = self.program.steps.split_off(first);
        self.step(Op::Repeat { times, steps })
    }

    /// Number of steps so far.
    pub fn mark(&self) -> usize {
        self.program.steps.len()
    }

    /// Stages a copy.
    pub fn copy(
        &mut self,
        ring: &str,
        src: impl Into<At>,
        dst: impl Into<At>,
        size: u64,
        mode: Mode,
    ) -> &mut Self {
        self.step(Op::Copy {
            ring: ring.into(),
            src: src.into(),
            dst: dst.into(),
            size: Number(size),
            mode,
            interrupt: false,
        })
    }

    /// Stages a packet of blocks (source, destination, bytes).
    pub fn packet(&mut self, ring: &str, blocks: &[(At, At, u64)], mode: Mode) -> &mut Self {
        let block = |(src, dst, size): &(At, At, u64)| Block {
            src: src.clone(),
            dst: dst.clone(),
            size: Number(*size),
        };
        self.step(Op::Packet {
            ring: ring.into(),
            blocks: blocks.iter().map(block).collect(),
            mode,
        })
    }

    /// Stages a virtual ring at the start of a ring that begins.
    pub fn vring(&mut self, ring: &str, script: Vec<Authored>) -> &mut Self {
        self.step(Op::Vring {
            ring: ring.into(),
            script,
            padded: None,
            scratch: None,
        })
    }

    /// The same, each half filled up to so many descriptors.
    pub fn vring_padded(
        &mut self,
        ring: &str,
        script: Vec<Authored>,
        padded: u32,
        scratch: At,
    ) -> &mut Self {
        self.step(Op::Vring {
            ring: ring.into(),
            script,
            padded: Some(padded),
            scratch: Some(scratch),
        })
    }

    /// Stages descriptors word for word.
    pub fn raw(&mut self, ring: &str, tx: Vec<Raw>, rx: Vec<Raw>) -> &mut Self {
        self.step(Op::Raw {
            ring: ring.into(),
            tx,
            rx,
        })
    }

    /// Stages the marker.
    pub fn marker(&mut self, ring: &str) -> &mut Self {
        self.marker_as(ring, Mode::None)
    }

    /// Stages the marker in an ordering mode.
    pub fn marker_as(&mut self, ring: &str, mode: Mode) -> &mut Self {
        self.step(Op::Marker {
            ring: ring.into(),
            mode,
        })
    }

    /// Rings what was staged.
    pub fn doorbell(&mut self, ring: &str) -> &mut Self {
        self.step(Op::Doorbell {
            ring: ring.into(),
            tx: None,
            rx: None,
        })
    }

    /// Rings TX and RX with counts.
    pub fn doorbell_of(&mut self, ring: &str, tx: u32, rx: u32) -> &mut Self {
        self.step(Op::Doorbell {
            ring: ring.into(),
            tx: Some(tx),
            rx: Some(rx),
        })
    }

    /// Waits for the marker.
    pub fn wait(&mut self, ring: &str) -> &mut Self {
        self.step(Op::Wait {
            ring: ring.into(),
            comes: true,
        })
    }

    /// Waits for a marker that does not come.
    pub fn wait_in_vain(&mut self, ring: &str) -> &mut Self {
        self.step(Op::Wait {
            ring: ring.into(),
            comes: false,
        })
    }

    /// Acknowledges.
    pub fn ack(&mut self, ring: &str) -> &mut Self {
        self.step(Op::Ack {
            ring: ring.into(),
            count: None,
        })
    }

    /// Marker, doorbell, wait, ack: the rest of a batch.
    pub fn finish(&mut self, ring: &str) -> &mut Self {
        self.finish_as(ring, Mode::None)
    }

    /// The same with a marker in an ordering mode.
    pub fn finish_as(&mut self, ring: &str, mode: Mode) -> &mut Self {
        self.marker_as(ring, mode)
            .doorbell(ring)
            .wait(ring)
            .ack(ring)
    }

    /// Initialises the queue of a ring again, as it was.
    pub fn again(&mut self, ring: &str) -> &mut Self {
        self.step(Op::Init {
            ring: ring.into(),
            tx: None,
            rx: None,
            queue: None,
            engine: None,
        })
    }

    /// Reads a range.
    pub fn read(&mut self, at: impl Into<At>, size: u64, name: &str) -> &mut Self {
        self.step(Op::Read {
            at: at.into(),
            size: Number(size),
            r#as: name.into(),
        })
    }

    /// Reads a ring's state.
    pub fn state(&mut self, ring: &str, name: &str) -> &mut Self {
        self.step(Op::State {
            ring: ring.into(),
            r#as: name.into(),
        })
    }

    /// Copies descriptors out.
    pub fn copy_out(
        &mut self,
        ring: &str,
        side: Side,
        start: u32,
        count: u32,
        name: &str,
    ) -> &mut Self {
        self.step(Op::CopyOut {
            ring: ring.into(),
            side,
            start,
            count,
            r#as: name.into(),
        })
    }

    /// Begins another outcome.
    pub fn or(&mut self) -> &mut Self {
        self.program.outcomes.push(Expected::default());
        self.outcome += 1;
        self
    }

    /// The outcome that is being written.
    pub fn outcome(&mut self) -> &mut Expected {
        &mut self.program.outcomes[self.outcome]
    }

    /// Memory at `at` holds what `of` held beforehand.
    pub fn holds(&mut self, at: impl Into<At>, of: impl Into<At>, size: u64) -> &mut Self {
        self.holds_pieces(at, vec![Piece::of(of, size)])
    }

    /// Memory at `at` holds a pattern.
    pub fn holds_fill(&mut self, at: impl Into<At>, fill: Fill, size: u64) -> &mut Self {
        self.holds_pieces(at, vec![Piece::fill(fill, size)])
    }

    /// Memory at `at` holds pieces.
    pub fn holds_pieces(&mut self, at: impl Into<At>, is: Vec<Piece>) -> &mut Self {
        let patch = Patch { at: at.into(), is };
        self.outcome().memory.push(patch);
        self
    }

    /// A `read` step gave what `of` held beforehand.
    pub fn gave(&mut self, name: &str, of: impl Into<At>, size: u64) -> &mut Self {
        let pieces = vec![Piece::of(of, size)];
        self.outcome().reads.insert(name.into(), pieces);
        self
    }

    /// A `copy_out` step gave these descriptors.
    pub fn gave_slots(&mut self, name: &str, slots: Vec<Slot>) -> &mut Self {
        self.outcome().copied.insert(name.into(), slots);
        self
    }

    /// A `state` step gave these fields.
    pub fn gave_state(&mut self, name: &str, fields: &[(&str, u64)]) -> &mut Self {
        let fields: BTreeMap<_, _> = fields
            .iter()
            .map(|(field, value)| ((*field).to_string(), Value::Number(Number(*value))))
            .collect();
        let state = self.outcome().states.entry(name.into()).or_default();
        state.extend(fields);
        self
    }

    /// A `state` step gave a place.
    pub fn gave_place(&mut self, name: &str, field: &str, at: &str) -> &mut Self {
        let state = self.outcome().states.entry(name.into()).or_default();
        state.insert(field.into(), Value::Place(at.into()));
        self
    }

    /// Both rings of a queue end with these cursors: next, acked, phase, tail. The head is the tail.
    pub fn ends(&mut self, ring: &str, next: u32, acked: u32, phase: u32) -> &mut Self {
        let cursor = Cursor {
            next: Some(next),
            acked: Some(acked),
            phase: Some(phase),
            tail: Some(next),
            head: Some(next),
        };
        let cursors = Cursors {
            tx: cursor.clone(),
            rx: cursor,
        };
        self.outcome().rings.insert(ring.into(), cursors);
        self
    }

    /// The program.
    pub fn done(&self) -> Program {
        self.program.clone()
    }
}
