//! A machine with virtual devices: memory, engines, who is attached.

mod engines;
mod memory;

use std::collections::{BTreeMap, VecDeque};

use udma::DriverVersion;
use udma::cycle::TransferQueue;
use udma::engine::Udma;
use udma::engine::queue::QueueParams;
use udma_oracle::model::{Engine, Memory, Schedule};
use udma_oracle::wire::Ring;

use super::fault::Fault;
use super::memory::{Chunk, Spaces};
use crate::program::Arch;

/// Engines of the widest device; larger numbers are refused (DEV-15).
pub const ENGINES: u32 = 132;
/// Queues of an engine.
pub const QUEUES: u32 = 16;
/// Processes that may be attached to one device (DEV-6).
pub const PROCESSES: usize = 16;
/// Cores that a call may name (DEV-9).
pub const CORES: u32 = 8;
/// Descriptors of the dummy ring of a queue that nobody owns (DEV-20).
pub const DUMMY: u32 = 64;
/// Lines of the log that are kept until someone takes them.
const LOG: usize = 1024;
/// Bytes of all allocations together: what a machine that tests run on can back.
const MOST_BYTES: u64 = 8 << 30;
/// Most descriptors per packet that engines are initialised with.
const PER_PACKET: u32 = 64;
/// Bytes of the driver's fill and bounce buffers.
pub(super) const BUFFER: u64 = 0x1_0000;

/// What a machine is made with.
#[derive(Clone, Copy, Debug)]
pub struct BoardConfig {
    /// Architecture of its devices.
    pub arch: Arch,
    /// Driver version that is followed.
    pub version: DriverVersion,
    /// Devices.
    pub devices: usize,
    /// How the engines schedule.
    pub schedule: Schedule,
    /// Planted fault.
    pub fault: Option<Fault>,
}

/// An open file of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub u64);

/// A host-transfer queue of the driver (HOST-2).
#[derive(Debug)]
pub(super) struct HostQueue {
    pub queue: TransferQueue,
    /// CPU physical addresses: TX ring, RX ring, fill buffer, bounce buffer.
    pub rings: [u64; 2],
    pub fill: u64,
    pub bounce: u64,
}

/// One engine with the driver's state of it.
#[derive(Debug)]
pub(super) struct Unit {
    pub engine: Engine,
    pub udma: Udma,
    /// Owner of each queue, and who opened the file that it was initialised through.
    pub owners: [Option<[u32; 2]>; QUEUES as usize],
    /// The driver's own queues, by their number.
    pub hosts: BTreeMap<u32, HostQueue>,
    /// Queues that were rung and may not be done, by bit.
    pub busy: u16,
    /// Descriptors rung on each queue's TX and RX since the init.
    pub rung: [[u64; 2]; QUEUES as usize],
}

#[derive(Debug, Default)]
pub(super) struct Device {
    /// Opens by thread group (DEV-6).
    pub attached: BTreeMap<u32, u32>,
    pub units: BTreeMap<u32, Unit>,
    /// Words of BAR0 outside of engines.
    pub words: BTreeMap<u64, u32>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct File {
    pub device: usize,
    pub owner: u32,
}

/// A machine. Every call of `/dev/neuronN` is a function call here; nothing is unsafe, and no
/// argument makes it panic.
#[derive(Debug)]
pub struct Board {
    pub(super) config: BoardConfig,
    pub(super) devices: Vec<Device>,
    memory: Memory,
    /// The engine that holds the memory.
    holder: Option<(usize, u32)>,
    pub(super) spaces: Spaces,
    pub(super) chunks: BTreeMap<u64, Chunk>,
    /// Handles by address as the engine sees it.
    by_address: BTreeMap<u64, u64>,
    next_handle: u64,
    files: BTreeMap<FileId, File>,
    next_file: u64,
    pub(super) clock: u64,
    random: u64,
    busy: Vec<(usize, u32)>,
    log: VecDeque<String>,
    /// Descriptors that a fault has changed in a ring: what they were, and what they are now.
    pub(super) tampered: BTreeMap<u64, ([u8; 16], [u8; 16])>,
}

impl Board {
    /// A machine with nothing allocated.
    pub fn new(config: BoardConfig) -> Self {
        Self {
            devices: (0..config.devices).map(|_| Device::default()).collect(),
            config,
            memory: Memory::new(),
            holder: None,
            spaces: Spaces::default(),
            chunks: BTreeMap::new(),
            by_address: BTreeMap::new(),
            next_handle: 1,
            files: BTreeMap::new(),
            next_file: 1,
            clock: 0,
            random: match config.schedule {
                Schedule::Prompt => 0,
                Schedule::Seeded(seed) => seed,
            },
            busy: Vec::new(),
            log: VecDeque::new(),
            tampered: BTreeMap::new(),
        }
    }

    /// What it was made with.
    pub fn config(&self) -> &BoardConfig {
        &self.config
    }

    /// Whether a fault is planted.
    pub(super) fn has(&self, fault: Fault) -> bool {
        self.config.fault == Some(fault)
    }

    /// Notes a line for whoever watches.
    pub(super) fn note(&mut self, line: String) {
        if self.log.len() < LOG {
            self.log.push_back(line);
        }
    }

    /// Lines noted since the last time.
    pub fn take_log(&mut self) -> Vec<String> {
        self.log.drain(..).collect()
    }

    /// Opens a device (DEV-6): -16 for a seventeenth process, -19 for a device that is not there.
    ///
    /// # Errors
    /// The negative code.
    pub fn open(&mut self, device: usize, owner: u32) -> Result<FileId, i64> {
        let attached = &mut self.devices.get_mut(device).ok_or(-19i64)?.attached;
        if !attached.contains_key(&owner) && attached.len() >= PROCESSES {
            return Err(-16);
        }
        *attached.entry(owner).or_insert(0) += 1;
        let file = FileId(self.next_file);
        self.next_file += 1;
        self.files.insert(file, File { device, owner });
        Ok(file)
    }

    /// The last reference to an open file is gone. What a process leaves behind when it was its
    /// last file is taken back (DEV-20).
    pub fn release(&mut self, file: FileId) {
        let Some(File { device, owner }) = self.files.remove(&file) else {
            return;
        };
        let attached = &mut self.devices[device].attached;
        let Some(count) = attached.get_mut(&owner) else {
            return;
        };
        *count -= 1;
        if *count > 0 {
            return;
        }
        attached.remove(&owner);
        if !self.has(Fault::QueueLeft) {
            self.drop_queues(device, owner);
        }
        if !self.has(Fault::MemoryLeft) {
            let owned = |(handle, chunk): (&u64, &Chunk)| {
                let ends = chunk.device == device
                    && self.ends_with(device, owner, chunk.owner, chunk.opener);
                ends.then_some(*handle)
            };
            let handles: Vec<u64> = self.chunks.iter().filter_map(owned).collect();
            for handle in handles {
                self.free(handle);
            }
        }
    }

    pub(super) fn file(&self, file: FileId) -> Option<File> {
        self.files.get(&file).copied()
    }

    /// Files that are open: none once every session has ended.
    pub fn open_files(&self) -> usize {
        self.files.len()
    }

    /// Allocations that are there.
    pub fn allocations(&self) -> usize {
        self.chunks.len()
    }

    /// Whether what `group` has through a file of `opener` ends with the last file of `owner`: its
    /// own, and what a process that never opened the device has through its files.
    fn ends_with(&self, device: usize, owner: u32, group: u32, opener: u32) -> bool {
        let attached = self.devices[device].attached.contains_key(&group);
        group == owner || opener == owner && !attached
    }

    fn drop_queues(&mut self, device: usize, owner: u32) {
        let units: Vec<u32> = self.devices[device].units.keys().copied().collect();
        for number in units {
            for qid in 0..QUEUES {
                let owned = self.devices[device].units[&number].owners[qid as usize];
                if !owned
                    .is_some_and(|[group, opener]| self.ends_with(device, owner, group, opener))
                {
                    continue;
                }
                // No memory behind it: nothing that is rung there can run.
                let params = QueueParams {
                    size: [DUMMY; 2],
                    ..QueueParams::default()
                };
                let _ = self.init_queue(device, number, qid, &params);
                if let Some(unit) = self.devices[device].units.get_mut(&number) {
                    unit.owners[qid as usize] = None;
                    unit.busy &= !(1 << qid);
                }
            }
        }
    }

    /// Lets every engine finish what it has started.
    fn quiesce(&mut self) {
        for (device, number) in std::mem::take(&mut self.busy) {
            self.with_unit(device, number, |unit, _| {
                while unit.engine.step() {}
                unit.busy = 0;
            });
        }
    }

    fn next_random(&mut self) -> u64 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.random ^ (self.random >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z ^ (z >> 27)
    }

    /// Notes that a queue was rung.
    pub(super) fn rang(&mut self, device: usize, number: u32, qid: u32) {
        if let Some(unit) = self.devices[device].units.get_mut(&number) {
            unit.busy |= 1 << qid;
        }
        if !self.busy.contains(&(device, number)) {
            self.busy.push((device, number));
        }
    }

    /// Whether an engine has something to do.
    pub fn is_busy(&self) -> bool {
        !self.busy.is_empty()
    }

    /// Lets time pass for engines that have something to do: as a rule, or by chance.
    pub fn pass_time(&mut self) {
        let mut at = 0;
        while at < self.busy.len() {
            let prompt = self.config.schedule == Schedule::Prompt;
            if !prompt && self.next_random() & 2 == 0 {
                at += 1;
                continue;
            }
            let (device, number) = self.busy[at];
            let busy = self.with_unit(device, number, |unit, _| {
                unit.engine.advance();
                for qid in 0..QUEUES as usize {
                    if unit.busy & 1 << qid != 0 && is_done(&unit.engine, qid) {
                        unit.busy &= !(1 << qid);
                    }
                }
                unit.busy
            });
            if busy == 0 {
                self.busy.remove(at);
            } else {
                at += 1;
            }
        }
    }

    /// What the model found about the driver and the programs: rule and text.
    pub fn findings(&self) -> Vec<(String, String)> {
        let units = self.devices.iter().flat_map(|device| device.units.values());
        units
            .flat_map(|unit| unit.engine.findings())
            .map(|finding| (finding.rule.to_string(), finding.to_string()))
            .collect()
    }
}

/// Whether nothing of a queue moves by itself any more.
fn is_done(engine: &Engine, qid: usize) -> bool {
    let (tx, rx) = (
        engine.progress(Ring::Tx, qid),
        engine.progress(Ring::Rx, qid),
    );
    // What waits for its other half does not move either.
    let starved = tx.started == tx.rung || rx.started == rx.rung;
    (starved || engine.stopped(qid).is_some()) && engine.visible(qid) == rx.started
}
