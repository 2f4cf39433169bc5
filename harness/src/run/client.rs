//! Runs a program against a device, by its calls alone.

use std::collections::BTreeMap;
use std::mem::offset_of;
use std::path::Path;
use std::time::{Duration, Instant};

use udma::Desc;
use udma::abi::device::DeviceBasicInfo;
use udma::abi::memory::{MemAllocV2MemType64, MemBufCopy64, MemFree, MemGetExtendedInfo};
use udma::abi::request;
use udma::shadow::{ShadowQueue, reserve};

use super::port::Port;
use crate::argument::Argument;
use crate::outcome::{Outcome, StepPath};
use crate::program::{Arch, At, Cursor, Cursors, Op, Place, Program, Step};

/// Bytes that allocations are rounded to (DEV-9).
pub(super) const PAGE: u64 = 4096;
/// Most bytes of one buffer call.
const MOST: u64 = 1 << 30;
/// The word that markers carry.
pub(super) const MARKER: u32 = 0xabcd_ef01;

/// How a program is run on a device.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Most bytes allocated.
    pub bytes: u64,
    /// Most time for one program.
    pub time: Duration,
    /// First engine that is tried.
    pub engine: u32,
    /// How often a device is asked for a marker before it counts as lost.
    pub looks: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            bytes: 8 << 30,
            time: Duration::from_secs(600),
            engine: 0,
            looks: 20_000,
        }
    }
}

/// A piece of the device's or the host's memory that was allocated for the program.
#[derive(Clone, Debug)]
pub(super) struct Place0 {
    pub name: String,
    pub handle: u64,
    /// Offset of its first byte in the allocation.
    pub before: u64,
    /// Address of its first byte as the engine sees it.
    pub address: u64,
    pub size: u64,
}

/// The client's view of a queue.
#[derive(Clone, Debug)]
pub(super) struct Queue {
    pub engine: u32,
    pub queue: u32,
    pub tx: ShadowQueue,
    pub rx: ShadowQueue,
    pub acked: [u32; 2],
    /// Staged and not rung.
    pub staged: [u32; 2],
    /// Rung and not acknowledged.
    pub unacked: u32,
}

/// Runs one program.
pub struct Client<'a, P: Port> {
    pub(super) port: &'a mut P,
    pub(super) program: &'a Program,
    pub(super) arch: Arch,
    folder: &'a Path,
    limits: Limits,
    pub(super) places: Vec<Place0>,
    pub(super) queues: BTreeMap<String, Queue>,
    pub(super) outcome: Outcome,
    started: Instant,
}

/// Architecture of an open device.
///
/// # Errors
/// The call's code, or a number that is not known.
pub fn architecture(port: &mut impl Port) -> Result<Arch, String> {
    let mut info = Argument::new::<DeviceBasicInfo>();
    let code = port.call(&request::DEVICE_BASIC_INFO, &mut info, &mut []);
    if code != 0 {
        return Err(format!("DEVICE_BASIC_INFO gives {code}"));
    }
    let number = info.word(offset_of!(DeviceBasicInfo, architecture));
    Arch::from_number(number).ok_or_else(|| format!("architecture {number} is not known: 2, 3, 4"))
}

/// Runs a program on a device that is closed, and leaves it closed. Whatever happens, everything
/// that was allocated is given back.
///
/// # Errors
/// What kept the program from running: not an outcome of it.
pub fn run<P: Port>(
    port: &mut P,
    program: &Program,
    folder: &Path,
    limits: Limits,
) -> Result<Outcome, String> {
    port.open()?;
    let arch = match architecture(port) {
        Ok(arch) => arch,
        Err(error) => {
            port.close();
            return Err(error);
        }
    };
    let mut client = Client {
        port,
        program,
        arch,
        folder,
        limits,
        places: Vec::new(),
        queues: BTreeMap::new(),
        outcome: Outcome::default(),
        started: Instant::now(),
    };
    let ran = client.all();
    let witness = client.give_back();
    client.port.close();
    ran?;
    client.look_for_leftovers(witness)?;
    Ok(client.outcome)
}

impl<P: Port> Client<'_, P> {
    fn all(&mut self) -> Result<(), String> {
        if self.program.bytes() > self.limits.bytes {
            return Err(format!(
                "the buffers have {} bytes: at most {} are allowed here",
                self.program.bytes(),
                self.limits.bytes
            ));
        }
        self.lay_out()?;
        self.choose_queues()?;
        for ring in &self.program.rings {
            if ring.init {
                let code = self.init(&ring.name, ring.tx, ring.rx, None, None);
                if code != 0 {
                    return Err(format!(
                        "DMA_QUEUE_INIT of ring {:?} gives {code}",
                        ring.name
                    ));
                }
            }
        }
        self.steps(&self.program.steps, &StepPath::default())?;
        self.end()
    }

    fn lay_out(&mut self) -> Result<(), String> {
        for buffer in &self.program.buffers {
            self.allocate(&buffer.name, buffer.place, buffer.size.0)?;
            let mut bytes = vec![0; buffer.size.0 as usize];
            buffer.fill.put(&mut bytes, self.folder)?;
            let code = self.copy_in(&At::start(&buffer.name), &mut bytes);
            if code != 0 {
                return Err(format!("filling buffer {:?} gives {code}", buffer.name));
            }
        }
        for ring in &self.program.rings {
            for (side, count) in [("tx", ring.tx), ("rx", ring.rx)] {
                let bytes = (u64::from(count) * 16).next_multiple_of(PAGE);
                let name = format!("{}.{side}", ring.name);
                self.allocate(&name, ring.place, bytes)?;
                let code = self.copy_in(&At::start(&name), &mut vec![0; bytes as usize]);
                if code != 0 {
                    return Err(format!("clearing {name} gives {code}"));
                }
            }
            self.allocate(&format!("{}.marker", ring.name), Place::Host, 8)?;
        }
        Ok(())
    }

    fn allocate(&mut self, name: &str, place: Place, size: u64) -> Result<(), String> {
        let rounded = size.next_multiple_of(PAGE);
        let handle = self.allocate_pages(place, size)?;
        let mut info = Argument::new::<MemGetExtendedInfo>();
        info.set_long(offset_of!(MemGetExtendedInfo, mem_handle), handle);
        // Noted first: it is given back whatever comes next.
        self.places.push(Place0 {
            name: name.into(),
            handle,
            before: rounded - size,
            address: 0,
            size,
        });
        let code = self
            .port
            .call(&request::MEM_GET_EXTENDED_INFO, &mut info, &mut []);
        if code != 0 {
            return Err(format!("MEM_GET_EXTENDED_INFO of {name} gives {code}"));
        }
        let mut address = info.long(offset_of!(MemGetExtendedInfo, pa));
        if place == Place::Host {
            address |= udma::cycle::host::host_window(self.arch.into()); // HOST-1
        }
        if let Some(place) = self.places.last_mut() {
            place.address = address + (rounded - size);
        }
        Ok(())
    }

    fn allocate_pages(&mut self, place: Place, size: u64) -> Result<u64, String> {
        let mut arg = Argument::new::<MemAllocV2MemType64>();
        arg.set_long(offset_of!(MemAllocV2MemType64, size), size);
        let host = u32::from(place == Place::Host);
        arg.set_word(offset_of!(MemAllocV2MemType64, host_memory), host);
        let mut handle = [0; 8];
        let at = offset_of!(MemAllocV2MemType64, mem_handle);
        let request = &request::MEM_ALLOC_V2MT64;
        match self.port.call(request, &mut arg, &mut [(at, &mut handle)]) {
            0 => Ok(u64::from_le_bytes(handle)),
            code => Err(format!("MEM_ALLOC_V2MT64 of {size} bytes gives {code}")),
        }
    }

    /// Takes queues that no one uses: neither is their ring larger than the dummy one, nor is
    /// anything rung on it.
    fn choose_queues(&mut self) -> Result<(), String> {
        let engines = match self.arch {
            Arch::V2 => 32,
            _ => 128,
        };
        let highest = self
            .program
            .rings
            .iter()
            .map(|ring| ring.engine)
            .max()
            .unwrap_or(0);
        for base in self.limits.engine..engines - highest {
            let mut free = true;
            for ring in &self.program.rings {
                free &= self.is_free(base + ring.engine, ring.queue)?;
            }
            if free {
                for ring in &self.program.rings {
                    let queue = Queue {
                        engine: base + ring.engine,
                        queue: ring.queue,
                        tx: ShadowQueue::new(0),
                        rx: ShadowQueue::new(0),
                        acked: [0; 2],
                        staged: [0; 2],
                        unacked: 0,
                    };
                    self.queues.insert(ring.name.clone(), queue);
                }
                return Ok(());
            }
        }
        Err("every engine has queues in use that the program wants".into())
    }

    fn steps(&mut self, list: &[Step], path: &StepPath) -> Result<(), String> {
        for (index, step) in list.iter().enumerate() {
            if self.started.elapsed() > self.limits.time {
                return Err(format!("{} s are over", self.limits.time.as_secs()));
            }
            let at = path.inner(index);
            if let Op::Repeat { times, steps } = &step.op {
                for _ in 0..*times {
                    self.steps(steps, &at)?;
                }
                continue;
            }
            let code = self.step(&step.op, &at);
            self.outcome.code(&at, code);
        }
        Ok(())
    }

    /// What can be seen in the end.
    fn end(&mut self) -> Result<(), String> {
        for buffer in &self.program.buffers {
            let mut bytes = vec![0; buffer.size.0 as usize];
            let code = self.copy_out_bytes(&At::start(&buffer.name), &mut bytes);
            if code != 0 {
                return Err(format!(
                    "reading buffer {:?} back gives {code}",
                    buffer.name
                ));
            }
            self.outcome.memory.insert(buffer.name.clone(), bytes);
        }
        let names: Vec<String> = self.queues.keys().cloned().collect();
        for name in names {
            let states = self.ring_states(&name)?;
            let queue = &self.queues[&name];
            let cursor = |shadow: &ShadowQueue, acked, side: usize| Cursor {
                next: Some(shadow.next_desc_idx),
                acked: Some(acked),
                phase: Some(shadow.desc_ring_id),
                tail: Some(states[side].tail),
                head: Some(states[side].head),
            };
            let cursors = Cursors {
                tx: cursor(&queue.tx, queue.acked[0], 0),
                rx: cursor(&queue.rx, queue.acked[1], 1),
            };
            self.outcome.rings.insert(name, cursors);
        }
        Ok(())
    }

    /// Frees everything but one page, which the close must take back (DEV-20); its handle.
    fn give_back(&mut self) -> Option<u64> {
        for place in std::mem::take(&mut self.places) {
            let code = self.free(place.handle);
            if code != 0 {
                let what = format!("MEM_FREE of {} gives {code}", place.name);
                self.outcome.leftovers.push(("DEV-10".into(), what));
            }
        }
        self.allocate_pages(Place::Host, PAGE).ok()
    }

    pub(super) fn free(&mut self, handle: u64) -> i64 {
        let mut arg = Argument::new::<MemFree>();
        arg.set_long(offset_of!(MemFree, mem_handle), handle);
        self.port.call(&request::MEM_FREE, &mut arg, &mut [])
    }

    /// Where fill files lie.
    pub(super) fn folder(&self) -> &Path {
        self.folder
    }

    /// DEV-20: after the close, handles are unknown and queues have their dummy rings.
    fn look_for_leftovers(&mut self, witness: Option<u64>) -> Result<(), String> {
        self.port.open()?;
        if let Some(handle) = witness {
            let mut info = Argument::new::<MemGetExtendedInfo>();
            info.set_long(offset_of!(MemGetExtendedInfo, mem_handle), handle);
            let code = self
                .port
                .call(&request::MEM_GET_EXTENDED_INFO, &mut info, &mut []);
            if code == 0 {
                let what = "an allocation is still there after the last file was closed";
                self.outcome.leftovers.push(("DEV-20".into(), what.into()));
            }
        }
        let names: Vec<String> = self.queues.keys().cloned().collect();
        for name in names {
            let lengths = self
                .ring_states(&name)
                .map(|states| states.map(|state| state.length));
            if let Ok(lengths) = lengths
                && lengths.iter().any(|length| ![0, 64].contains(length))
            {
                let what = format!(
                    "ring {name:?} has {} and {} descriptors after the last file was closed: 64 and 64",
                    lengths[0], lengths[1]
                );
                self.outcome.leftovers.push(("DEV-20".into(), what));
            }
        }
        self.port.close();
        Ok(())
    }

    pub(super) fn place(&self, name: &str) -> Option<&Place0> {
        self.places.iter().find(|place| place.name == name)
    }

    /// The address of a place as the engine sees it.
    pub(super) fn address(&self, at: &At) -> u64 {
        match at {
            At::Address(address) => *address,
            At::Named(name, offset) => {
                let start = self.place(name).map_or(0, |place| place.address);
                start.wrapping_add(*offset as u64)
            }
        }
    }

    /// The name of an address.
    pub(super) fn named(&self, address: u64) -> At {
        let inside = |place: &&Place0| address.wrapping_sub(place.address) < place.size;
        match self.places.iter().find(inside) {
            Some(place) => At::Named(place.name.clone(), (address - place.address) as i64),
            None => At::Address(address),
        }
    }

    /// Handle and offset of a place; handle 0 where there is none.
    pub(super) fn handle(&self, at: &At) -> (u64, u64) {
        let Some((name, offset)) = at.named() else {
            return (0, 0);
        };
        match self.place(name) {
            Some(place) => (place.handle, place.before.wrapping_add(offset as u64)),
            None => (0, 0),
        }
    }

    pub(super) fn copy_in(&mut self, at: &At, bytes: &mut [u8]) -> i64 {
        self.buffer_copy(at, bytes, true)
    }

    pub(super) fn copy_out_bytes(&mut self, at: &At, bytes: &mut [u8]) -> i64 {
        self.buffer_copy(at, bytes, false)
    }

    fn buffer_copy(&mut self, at: &At, bytes: &mut [u8], to_device: bool) -> i64 {
        let (handle, offset) = self.handle(at);
        for (index, part) in bytes.chunks_mut(MOST as usize).enumerate() {
            let mut arg = Argument::new::<MemBufCopy64>();
            arg.set_long(offset_of!(MemBufCopy64, mem_handle), handle);
            arg.set_long(offset_of!(MemBufCopy64, size), part.len() as u64);
            let there = offset.wrapping_add(index as u64 * MOST);
            arg.set_long(offset_of!(MemBufCopy64, offset), there);
            let way = offset_of!(MemBufCopy64, copy_to_mem_handle);
            arg.set_word(way, to_device.into());
            let buffer = offset_of!(MemBufCopy64, buffer);
            let request = &request::MEM_BUF_COPY64;
            let code = self.port.call(request, &mut arg, &mut [(buffer, part)]);
            if code != 0 {
                return code;
            }
        }
        0
    }

    /// Stages descriptors without their phases, TX first. Cursors move when both sides were copied.
    pub(super) fn stage(&mut self, ring: &str, tx: &[Desc], rx: &[Desc], phased: bool) -> i64 {
        let Some(queue) = self.queues.get(ring) else {
            return -22;
        };
        let mut shadows = [queue.tx, queue.rx];
        for (side, list) in [tx, rx].into_iter().enumerate() {
            let name = format!("{ring}.{}", ["tx", "rx"][side]);
            let mut run: Vec<u8> = Vec::new();
            let mut first = shadows[side].next_desc_idx;
            for (index, desc) in list.iter().enumerate() {
                let (slot, phase) = take(&mut shadows[side]);
                let phase = if phased { phase << 24 } else { 0 };
                let phased = Desc::new(desc.word0() | phase, desc.word1(), desc.pointer());
                run.extend_from_slice(&phased.to_bytes());
                let wraps = shadows[side].next_desc_idx <= slot;
                if wraps || index + 1 == list.len() {
                    let code = self.copy_descriptors(&name, first.into(), &mut run, side as u32);
                    if code != 0 {
                        return code;
                    }
                    run.clear();
                    first = shadows[side].next_desc_idx;
                }
            }
        }
        if let Some(queue) = self.queues.get_mut(ring) {
            [queue.tx, queue.rx] = shadows;
            queue.staged[0] += tx.len() as u32;
            queue.staged[1] += rx.len() as u32;
        }
        0
    }
}

/// The next slot and its phase (SWQ-2).
pub(super) fn take(shadow: &mut ShadowQueue) -> (u32, u32) {
    let taken = (shadow.next_desc_idx, shadow.desc_ring_id);
    // The other ring of the pair is reserved for itself.
    let mut other = *shadow;
    let _ = reserve(shadow, &mut other, 1);
    taken
}
