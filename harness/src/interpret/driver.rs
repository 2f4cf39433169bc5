//! The driver's answers, rule by rule (files 04, 05, 08 and 09 of the specification).

use std::collections::BTreeMap;

use super::wire::{CHUNK, Desc, Part, chunks};
use super::{Half, Machine, PAGE};
use crate::outcome::{SeenSlot, StepPath, WRONG_HANDLE};
use crate::program::step::{Block, Mode, Op, Raw, Side};
use crate::program::{At, Number, Place, Value};

const MARKER: [u8; 4] = [0x01, 0xef, 0xcd, 0xab];
/// Data pairs of a full batch of the driver (BTCH-2).
const BATCH: u64 = 2032;

impl Machine<'_> {
    /// Takes one step; its code.
    pub(super) fn step(&mut self, op: &Op, at: &StepPath) -> i64 {
        match op {
            Op::Init {
                ring,
                tx,
                rx,
                queue,
                engine,
            } => {
                let own = self.program.ring(ring);
                let size = |asked: &Option<u32>, own: Option<u32>| asked.or(own).unwrap_or(0);
                let tx = size(tx, own.map(|ring| ring.tx));
                let rx = size(rx, own.map(|ring| ring.rx));
                // DEV-15, QINI-3.
                if engine.is_some_and(|engine| engine >= 132) || queue.is_some_and(|qid| qid >= 16)
                {
                    return -22;
                }
                self.init(ring, tx, rx)
            }
            Op::InitBatch { rings, count } => {
                if count.unwrap_or(rings.len() as u32) >= 256 {
                    return -7; // DEV-14
                }
                for name in rings {
                    let ring = self.program.ring(name);
                    let sizes = ring.map_or((0, 0), |ring| (ring.tx, ring.rx));
                    let code = self.init(name, sizes.0, sizes.1);
                    if code != 0 {
                        return code;
                    }
                }
                0
            }
            Op::Copy {
                ring,
                src,
                dst,
                size,
                mode,
                interrupt,
            } => {
                let (src, dst) = (self.address(src), self.address(dst));
                self.copy(ring, src, dst, size.0, *mode, *interrupt, at)
            }
            Op::Packet { ring, blocks, mode } => {
                let mut halves = self.halves(ring);
                let phases = || (halves.0.take().1, halves.1.take().1);
                let (tx, rx) = self.pairs(blocks, *mode, phases);
                self.stage(ring, &tx, &rx, at)
            }
            Op::Vring {
                ring,
                script,
                padded,
                scratch,
            } => self.vring(ring, script, *padded, scratch.as_ref(), at),
            Op::Raw { ring, tx, rx } => {
                let mut halves = self.halves(ring);
                let tx = self.raws(tx, &mut halves.0);
                let rx = self.raws(rx, &mut halves.1);
                self.stage(ring, &tx, &rx, at)
            }
            Op::Marker { ring, mode } => {
                let name = format!("{ring}.marker");
                let Some(area) = self.find(&name) else {
                    return -22;
                };
                self.areas[area].bytes[..4].copy_from_slice(&MARKER);
                self.areas[area].bytes[4..].fill(0);
                let start = self.areas[area].start;
                self.copy(ring, start, start + 4, 4, *mode, false, at)
            }
            Op::Doorbell { ring, tx, rx } => self.doorbell(ring, *tx, *rx),
            Op::Wait { ring, .. } => {
                let area = self.find(&format!("{ring}.marker")).unwrap_or_default();
                let came = self.areas[area].bytes[4..] == MARKER;
                if came {
                    self.areas[area].bytes[4..].fill(0); // MARK-3
                }
                self.outcome.wait(at, came);
                0
            }
            Op::Ack { ring, count } => self.ack(ring, *count),
            Op::Memset {
                at: to,
                value,
                size,
            } => {
                let Some((area, offset)) = self.chunk_range(to, size.0) else {
                    return -22;
                };
                let bytes = vec![*value as u8; size.0 as usize];
                self.write(area, offset, &bytes, at);
                0
            }
            Op::DriverCopy { src, dst, size } => self.driver_copy(src, dst, size.0, at),
            Op::AsyncCopy {
                src,
                dst,
                size,
                previous,
                handle,
            } => match self.async_copy(src, dst, size.0, *previous, at) {
                Ok(given) if given == *handle => 0,
                // As whoever runs the program tells of it.
                Ok(given) => i64::from(given) + WRONG_HANDLE,
                Err(code) => code,
            },
            Op::AsyncWait { handle, .. } => match handle {
                1 | 2 if self.handles[*handle as usize] => {
                    self.handles[*handle as usize] = false;
                    0
                }
                _ => -22, // DEV-16, ASYN-4
            },
            Op::Write { at: to, fill, size } => {
                let Some((area, offset)) = self.chunk_range(to, size.0) else {
                    return -22;
                };
                let mut bytes = vec![0; size.0 as usize];
                if fill.put(&mut bytes, self.folder).is_err() {
                    return -22;
                }
                self.write(area, offset, &bytes, at);
                0
            }
            Op::Read {
                at: from,
                size,
                r#as,
            } => {
                let Some((area, offset)) = self.chunk_range(from, size.0) else {
                    return -22;
                };
                let bytes = self.areas[area].bytes[offset..offset + size.0 as usize].to_vec();
                self.outcome.reads.insert(r#as.clone(), bytes);
                0
            }
            Op::State { ring, r#as } => {
                self.state(ring, r#as);
                0
            }
            Op::CopyOut {
                ring,
                side,
                start,
                count,
                r#as,
            } => self.copy_out(ring, *side, *start, *count, r#as),
            Op::EngineState { r#as, .. } => {
                // REGS-3: the constants; what runs is not the program's to know.
                let fields = [("revision", 4), ("max_queues", 16), ("num_queues", 16)];
                let fields = fields.map(|(name, value)| (name.to_string(), number(value)));
                self.outcome.states.insert(r#as.clone(), fields.into());
                0
            }
            // DEV-21; a repeat is taken apart before.
            Op::SetState { .. } | Op::Repeat { .. } => 0,
            Op::Info { buffer, r#as } => {
                self.info(buffer, r#as);
                0
            }
            // DEV-9: what is valid is more than there is.
            Op::Alloc { .. } if op.is_invalid_alloc(self.arch) => -22,
            Op::Alloc { .. } => -12,
            Op::BarWrite { register, .. } => {
                // BAR0-1, DEV-17.
                if [0x28, 0x2c, 0x38, 0x44, 0x48].contains(&register.0) {
                    -22
                } else {
                    0
                }
            }
            Op::Request { .. } => -25, // DEV-22
            Op::CopyDescriptors {
                ring,
                side,
                slot,
                descriptors,
                times,
                last,
                queue_type,
            } => {
                let mut half = *self.half(ring, side.name());
                let once = self.raws(descriptors, &mut half);
                let mut all: Vec<Desc> = (0..*times).flat_map(|_| once.iter().copied()).collect();
                all.extend(self.raws(last.as_slice(), &mut half));
                self.copy_descriptors(ring, *side, slot.0, &all, *queue_type, at)
            }
        }
    }

    /// QINI: sizes, then TX, then RX.
    pub(super) fn init(&mut self, ring: &str, tx: u32, rx: u32) -> i64 {
        if !tx.is_multiple_of(16) || !rx.is_multiple_of(16) {
            return -1; // QINI-1
        }
        let queue = self.queues.entry(ring.into()).or_default();
        for (half, size) in [(&mut queue.tx, tx), (&mut queue.rx, rx)] {
            if !(32..=16_777_200).contains(&size) {
                return -22; // QINI-4; TX was programmed by then (QINI-7)
            }
            half.reset(size);
        }
        queue.stopped = false;
        queue.unacked = 0;
        0
    }

    /// Copies of the halves, to try phases on.
    fn halves(&self, ring: &str) -> (Half, Half) {
        let queue = self.queues.get(ring).copied().unwrap_or_default();
        (queue.tx, queue.rx)
    }

    /// A packet of blocks (BLDR-9, BLDR-10); `phases` gives the next of either ring.
    pub(super) fn pairs(
        &self,
        blocks: &[Block],
        mode: Mode,
        mut phases: impl FnMut() -> (u32, u32),
    ) -> (Vec<Desc>, Vec<Desc>) {
        let descs = blocks.iter().enumerate().map(|(index, block)| {
            let part = Part::of(index, blocks.len());
            let (src, dst) = (self.address(&block.src), self.address(&block.dst));
            let ((tx, rx), size) = (phases(), block.size.0);
            (
                Desc::tx(part, mode, tx, src, size),
                Desc::rx(mode, false, rx, dst, size),
            )
        });
        descs.unzip()
    }

    #[allow(clippy::too_many_arguments)]
    fn copy(
        &mut self,
        ring: &str,
        src: u64,
        dst: u64,
        size: u64,
        mode: Mode,
        interrupt: bool,
        at: &StepPath,
    ) -> i64 {
        let (mut tx, mut rx) = (Vec::new(), Vec::new());
        let mut halves = self.halves(ring);
        for (done, bytes, is_last) in chunks(size) {
            let mode = if is_last { mode } else { Mode::None };
            let (from, to) = (src.wrapping_add(done), dst.wrapping_add(done));
            let phases = (halves.0.take().1, halves.1.take().1);
            tx.push(Desc::tx(Part::ALONE, mode, phases.0, from, bytes));
            rx.push(Desc::rx(mode, interrupt, phases.1, to, bytes));
        }
        self.stage(ring, &tx, &rx, at)
    }

    fn raws(&self, list: &[Raw], half: &mut Half) -> Vec<Desc> {
        list.iter()
            .map(|raw| {
                let phase = raw.phase.unwrap_or(half.take().1);
                Desc {
                    word0: raw.word0.0 as u32 | phase << 24,
                    word1: raw.word1.0 as u32,
                    pointer: self.address(&raw.pointer),
                }
            })
            .collect()
    }

    /// TRIG.
    fn doorbell(&mut self, ring: &str, tx: Option<u32>, rx: Option<u32>) -> i64 {
        let Some(queue) = self.queues.get_mut(ring) else {
            return -1;
        };
        let (tx, rx) = (tx.unwrap_or(queue.tx.staged), rx.unwrap_or(queue.rx.staged));
        if tx > queue.tx.size || rx > queue.rx.size || rx == 0 {
            return -1; // TRIG-1, TRIG-4
        }
        queue.unacked += rx;
        for (half, count) in [(&mut queue.tx, tx), (&mut queue.rx, rx)] {
            half.staged = half.staged.saturating_sub(count);
            half.tail = (half.tail + count) % half.size;
            half.rung += count;
        }
        self.run(ring);
        0
    }

    /// ACK-1: RX, then TX.
    fn ack(&mut self, ring: &str, count: Option<u32>) -> i64 {
        let Some(queue) = self.queues.get_mut(ring) else {
            return -1;
        };
        let count = count.unwrap_or(queue.unacked);
        queue.unacked = queue.unacked.saturating_sub(count);
        for half in [&mut queue.rx, &mut queue.tx] {
            if !half.size.is_power_of_two() {
                return -1; // RING-6
            }
            half.acked = (half.acked + count) % half.size;
        }
        0
    }

    /// DEV-11 over a buffer or a ring's memory: it lies at the end of its pages.
    fn chunk_range(&self, at: &At, size: u64) -> Option<(usize, usize)> {
        let (name, offset) = at.named()?;
        let area = self.find(name)?;
        let length = self.areas[area].bytes.len() as u64;
        let start = u64::try_from(offset).ok()?;
        (start.checked_add(size)? <= length).then_some((area, start as usize))
    }

    fn driver_copy(&mut self, src: &At, dst: &At, size: u64, at: &StepPath) -> i64 {
        let (Some((from, offset)), Some((to, start))) =
            (self.chunk_range(src, size), self.chunk_range(dst, size))
        else {
            return -22;
        };
        // Piece by piece, as the driver's chunks overlap only within one (BTCH-1).
        for (done, bytes, _) in chunks(size) {
            let first = offset + done as usize;
            let piece = self.areas[from].bytes[first..first + bytes as usize].to_vec();
            self.write(to, start + done as usize, &piece, at);
        }
        0
    }

    /// ASYN: the handle, or the code.
    fn async_copy(
        &mut self,
        src: &At,
        dst: &At,
        size: u64,
        previous: i32,
        at: &StepPath,
    ) -> Result<i32, i64> {
        let handle = match previous {
            -1 | 2 => 1,
            0 => 0,
            1 => 2,
            _ => return Err(-22), // ASYN-1
        };
        if self.chunk_range(src, size).is_none() || self.chunk_range(dst, size).is_none() {
            return Err(-22);
        }
        if previous > 0 && !self.handles[previous as usize] {
            return Err(-22); // ASYN-4
        }
        if handle > 0 && size > BATCH * CHUNK {
            return Err(-22); // ASYN-3
        }
        self.driver_copy(src, dst, size, at);
        if previous > 0 {
            self.handles[previous as usize] = false; // ASYN-2
        }
        self.handles[handle as usize] = handle > 0;
        Ok(handle)
    }

    /// REGS-2.
    fn state(&mut self, ring: &str, name: &str) {
        let queue = self.queues.get(ring).copied().unwrap_or_default();
        let mut fields = BTreeMap::new();
        for (side, half) in [("tx", &queue.tx), ("rx", &queue.rx)] {
            let mut put = |field: &str, value| fields.insert(format!("{side}.{field}"), value);
            put("length", number(half.size.into()));
            put("tail", number(half.tail.into()));
            put("head", number(half.fetch.into()));
            put("base", Value::Place(At::start(&format!("{ring}.{side}"))));
            put("sw_status", number(2));
            put("completion_base", number(0));
        }
        self.outcome.states.insert(name.into(), fields);
    }

    /// DEV-3.
    fn copy_out(&mut self, ring: &str, side: Side, start: u32, count: u32, name: &str) -> i64 {
        let half = *self.half(ring, side.name());
        if count == 0 {
            return -22;
        }
        if u64::from(start) + u64::from(count) > u64::from(half.size) {
            return -27;
        }
        let area = self
            .find(&format!("{ring}.{}", side.name()))
            .unwrap_or_default();
        let slots = (start..start + count)
            .map(|slot| {
                let offset = slot as usize * 16;
                let desc = Desc::parse(&self.areas[area].bytes[offset..offset + 16]);
                SeenSlot {
                    word0: desc.word0,
                    word1: desc.word1,
                    raw: desc.pointer,
                    pointer: self.place(desc.pointer),
                }
            })
            .collect();
        self.outcome.copied.insert(name.into(), slots);
        0
    }

    /// DEV-19.
    fn info(&mut self, buffer: &str, name: &str) {
        let Some(known) = self.program.buffer(buffer) else {
            return;
        };
        let rounded = known.size.0.next_multiple_of(PAGE);
        let before = (rounded - known.size.0) as i64;
        let fields = [
            ("size", number(rounded)),
            ("host_memory", number(u64::from(known.place == Place::Host))),
            ("pa", Value::Place(At::Named(buffer.into(), -before))),
        ];
        let fields = fields.map(|(field, value)| (field.to_string(), value));
        self.outcome.states.insert(name.into(), fields.into());
    }

    /// DEV-1.
    fn copy_descriptors(
        &mut self,
        ring: &str,
        side: Side,
        slot: u64,
        all: &[Desc],
        queue_type: Option<u32>,
        at: &StepPath,
    ) -> i64 {
        let name = format!("{ring}.{}", side.name());
        let Some(area) = self.find(&name) else {
            return -22;
        };
        let room = self.areas[area].bytes.len() as u64;
        let end = slot
            .checked_mul(16)
            .and_then(|from| from.checked_add(all.len() as u64 * 16));
        if end.is_none_or(|end| end > room) {
            return -22;
        }
        if queue_type.is_some_and(|number| number > 1) {
            return -1;
        }
        for (piece, list) in all.chunks(4096).enumerate() {
            if list.iter().any(|desc| !self.valid(desc.pointer)) {
                return -22;
            }
            for (index, desc) in list.iter().enumerate() {
                let place = slot as usize + piece * 4096 + index;
                let offset = place * 16;
                self.areas[area].bytes[offset..offset + 16].copy_from_slice(&desc.bytes());
                self.own(area, place, at);
            }
        }
        0
    }
}

fn number(value: u64) -> Value {
    Value::Number(Number(value))
}
