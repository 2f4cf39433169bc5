//! A device's engines and their queues.

use std::collections::BTreeMap;

use udma::cycle::{Batching, Platform, QueueConfig, TransferQueue, host};
use udma::engine::Udma;
use udma::engine::init::{EngineParams, init_engine};
use udma::engine::queue::QueueParams;
use udma_oracle::model::{Config, Engine, Memory, Schedule};

use super::{BUFFER, Board, BoardConfig, CORES, HostQueue, PER_PACKET, QUEUES, Unit};
use crate::vdev::fault::Fault;
use crate::vdev::host::Hands;
use crate::vdev::memory::Space;

impl Board {
    /// QINI on a queue of a unit.
    pub(in crate::vdev) fn init_queue(
        &mut self,
        device: usize,
        number: u32,
        qid: u32,
        params: &QueueParams,
    ) -> Result<(), udma::Error> {
        let resets = !self.has(Fault::InitKeeps);
        self.with_unit(device, number, |unit, clock| {
            if let Some(rung) = unit.rung.get_mut(qid as usize) {
                *rung = [0; 2];
            }
            let mut hands = Hands {
                engine: &mut unit.engine,
                rings: [0; 2],
                clock,
                resets,
            };
            unit.udma.init_queue(&mut hands, qid, params)
        })
    }

    /// The memory, wherever it is.
    pub fn memory(&mut self) -> &mut Memory {
        match self.holder {
            Some((device, number)) => self.devices[device]
                .units
                .get_mut(&number)
                .map(|unit| unit.engine.memory_mut())
                .unwrap_or(&mut self.memory),
            None => &mut self.memory,
        }
    }

    /// Hands the memory to a unit, which is brought up if it is new, and calls `act`.
    pub(in crate::vdev) fn with_unit<T>(
        &mut self,
        device: usize,
        number: u32,
        act: impl FnOnce(&mut Unit, &mut u64) -> T,
    ) -> T {
        self.bring_up(device, number);
        self.hold(device, number);
        let unit = self.devices[device].units.get_mut(&number);
        act(unit.expect("it was brought up"), &mut self.clock)
    }

    pub(super) fn hold(&mut self, device: usize, number: u32) {
        if self.holder == Some((device, number)) {
            return;
        }
        let memory = std::mem::take(self.memory());
        self.holder = Some((device, number));
        *self.memory() = memory;
    }

    /// Initialises an engine and the driver's own queues on it (EINI, HOST-2).
    pub(super) fn bring_up(&mut self, device: usize, number: u32) {
        if self.devices[device].units.contains_key(&number) {
            return;
        }
        let BoardConfig { arch, version, .. } = self.config;
        let schedule = match self.config.schedule {
            Schedule::Prompt => Schedule::Prompt,
            Schedule::Seeded(_) => Schedule::Seeded(self.next_random()),
        };
        let mut engine = Engine::new(Memory::new(), Config::new(arch.into(), schedule));
        let mut hands = Hands {
            engine: &mut engine,
            rings: [0; 2],
            clock: &mut self.clock,
            resets: true,
        };
        let params = EngineParams {
            arch: arch.into(),
            num_queues: QUEUES,
            max_packet: PER_PACKET,
            reserve_read_id: false,
        };
        let (_, initialised) = init_engine(&mut hands, &params);
        initialised.expect("16 queues and 64 descriptors per packet are in range (EINI-1, EINI-2)");
        let unit = Unit {
            engine,
            udma: Udma::initialised(version, QUEUES, number),
            owners: [None; QUEUES as usize],
            hosts: BTreeMap::new(),
            busy: 0,
            rung: [[0; 2]; QUEUES as usize],
        };
        self.devices[device].units.insert(number, unit);
        for core in 0..CORES {
            if let Some(place) = host::host_queue(arch.into(), core)
                && place.engine == number
            {
                self.host_queue(device, core, place);
            }
        }
    }

    pub(super) fn host_queue(&mut self, device: usize, core: u32, place: host::Place) {
        let arch: udma::Arch = self.config.arch.into();
        let size = host::host_ring_size();
        let mut take = |bytes: u64| {
            let model: udma_oracle::model::Arch = self.config.arch.into();
            let start = self.spaces.take(self.config.arch, Space::Host, bytes, 0)?;
            self.memory().add_bytes(model.host(start), bytes).ok()?;
            Some(start)
        };
        let bytes = u64::from(size) * 16;
        let taken = (|| {
            Some([
                take(bytes)?,
                take(bytes)?,
                take(4096)?,
                take(BUFFER)?,
                take(BUFFER)?,
            ])
        })();
        let Some([tx, rx, completion, fill, bounce]) = taken else {
            return;
        };
        let rings = QueueParams {
            size: [size; 2],
            base: [tx, rx].map(|cpu| host::host_address(arch, cpu)),
            has_memory: [true; 2],
            allocatable: true,
            completion_ring: false,
        };
        if self
            .init_queue(device, place.engine, place.queue, &rings)
            .is_err()
        {
            return;
        }
        let queue = TransferQueue::new(QueueConfig {
            arch,
            platform: Platform::Hardware,
            qid: place.queue,
            core,
            rings,
            completion,
            batching: Batching::default(),
        });
        let host = HostQueue {
            queue,
            rings: [tx, rx],
            fill,
            bounce,
        };
        if let Some(unit) = self.devices[device].units.get_mut(&place.engine) {
            unit.hosts.insert(place.queue, host);
        }
    }
}
