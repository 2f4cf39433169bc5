//! Ring cycles: what a driver does access by access, and what that makes of memory, from the text
//! of the rules. The engine is the one of the recordings: it does a batch, in order, at a delay.

mod contexts;
mod pages;
mod transfers;
pub mod wait;

use super::program;
use super::ring::{LawQueue, LawRing};
use super::version::version;
use crate::cycle::trace::{Act, Aside, Bell, Descs, Trace};
use crate::cycle::{Run, Step};
use crate::model::{Memory, Outside};
use crate::subject::cycle::Transfer;
use crate::subject::{Event, QueueCfg};
use crate::wire::{Desc, PairIn, QueueSw, Ring, pointer};
use udma_reference::abi;

/// MARK-1.
pub const MARKER: u32 = 0xabcd_ef01;

/// What is required of a run.
#[derive(Clone, Debug)]
pub struct Required {
    /// What is seen.
    pub trace: Trace,
    /// Memory beforehand.
    pub before: Memory,
    /// Memory at the end.
    pub memory: Memory,
}

impl Required {
    /// Memory beforehand and at the end.
    pub fn memories(&self) -> [&Memory; 2] {
        [&self.before, &self.memory]
    }
}

/// What is required of a run; none for one whose memory does not fit together, or in which a
/// descriptor points outside.
pub fn required(run: &Run) -> Option<Required> {
    let before = run.memory().ok()?;
    let mut driver = Driver::new(run, before.clone());
    driver.warm_up();
    for step in &run.steps {
        let values = driver.take(step).ok()?;
        driver.trace.results.push(values);
        driver.trace.ends.push(driver.trace.acts.len());
    }
    driver.trace.cursors = Ring::BOTH.map(|ring| driver.cursors(ring));
    Some(Required {
        trace: driver.trace,
        before,
        memory: driver.memory,
    })
}

/// Pairs rung and the bytes of the transfer in them.
#[derive(Clone, Copy, Debug, Default)]
struct Batch {
    pairs: u32,
    bytes: u64,
}

/// A transfer under one handle.
#[derive(Clone, Copy, Debug)]
struct Slot {
    in_use: bool,
    transfer: Transfer,
    offset: u64,
    batch: Batch,
    started: u64,
    serial: u64,
}

/// Copies of a rung batch and the delay calls until they are made.
struct UnderWay {
    copies: Vec<(u64, u64, u64)>,
    left: u64,
}

/// A driver and what is around it.
struct Driver<'a> {
    run: &'a Run,
    queue: LawQueue,
    /// Ring contents, TX and RX.
    rings: [Vec<Desc>; 2],
    /// Descriptors rung since the reset.
    rung: [u64; 2],
    memory: Memory,
    trace: Trace,
    under_way: Vec<UnderWay>,
    lost: u64,
    /// Questions about the reset window so far.
    asked: u64,
    now: u64,
    /// SYNC, ASYNC1, ASYNC2.
    slots: [Slot; 3],
    serial: u64,
    contexts: contexts::Queue,
}

impl<'a> Driver<'a> {
    fn new(run: &'a Run, memory: Memory) -> Self {
        let setup = &run.setup;
        let unused = Slot {
            in_use: false,
            transfer: Transfer {
                src: 0,
                dst: 0,
                size: 0,
                src_moves: true,
                dst_moves: true,
            },
            offset: 0,
            batch: Batch::default(),
            started: 0,
            serial: 0,
        };
        Self {
            run,
            queue: LawQueue {
                rings: setup
                    .size
                    .map(|size| LawRing::new(size, true, version(setup.driver))),
                version: *version(setup.driver),
                queues: setup.num_queues,
            },
            rings: setup.size.map(|size| vec![Desc::default(); size as usize]),
            rung: [0; 2],
            memory,
            trace: Trace::default(),
            under_way: Vec::new(),
            lost: run.engine.lost_batches,
            asked: 0,
            now: 0,
            slots: [unused; 3],
            serial: 0,
            contexts: contexts::Queue::default(),
        }
    }

    /// Copies that went before: slots handed out and given back, a poll word cleared.
    fn warm_up(&mut self) {
        let (setup, warmup) = (&self.run.setup, self.run.warmup);
        let chunk = u64::from(setup.chunk);
        let most = u64::from(setup.threshold) + 1;
        let data = warmup.size.div_ceil(chunk).max(1);
        let slots = data + data.div_ceil(most);
        for _ in 0..warmup.count {
            for ring in Ring::BOTH {
                let side = &mut self.queue.rings[ring as usize];
                for _ in 0..slots {
                    side.take();
                    side.ask_phase();
                }
                side.ack(slots as u32);
                self.rung[ring as usize] += slots;
            }
        }
        if warmup.count != 0 {
            let source = self.host(setup.completion);
            let stored = self.memory.write(source, &MARKER.to_le_bytes());
            debug_assert!(stored.is_ok(), "completion buffers are memory");
        }
    }

    fn take(&mut self, step: &Step) -> Result<Vec<i64>, Outside> {
        Ok(match step {
            Step::Copy(transfer) => vec![self.copy(transfer)?.into()],
            Step::Submit(transfer, previous) => {
                let (code, handle) = self.submit(transfer, *previous)?;
                vec![code.into(), handle.into()]
            }
            Step::Wait(handle) => vec![self.wait(*handle)?.into()],
            Step::Memset(fill) => vec![self.memset(fill)?.into()],
            Step::ZeroCopy(copy) => vec![self.zero_copy(copy)?.into()],
            Step::Contexts(open) => {
                self.contexts = contexts::Queue::open(open);
                Vec::new()
            }
            Step::Enqueue(copy, tag) => {
                let code = self.enqueue(copy, *tag);
                self.contexts.state(code.into())
            }
            Step::ContextsCopy(copy) => {
                let code = self.contexts_copy(copy)?;
                self.contexts.state(code.into())
            }
            Step::Advance(most) => {
                let mut rounds = 0;
                while rounds < *most && self.round()? {
                    rounds += 1;
                }
                let mut values = self.contexts.state(rounds.into());
                values.extend(self.contexts.states());
                values
            }
            Step::Pop => self.contexts.pop_all(),
        })
    }

    /// HOST-1.
    fn host(&self, cpu: u64) -> u64 {
        self.run.arch().host(cpu)
    }

    fn is_v2(&self) -> bool {
        u32::from(self.run.setup.arch) == abi::UDMA_ARCH_SUNDA
    }

    /// POLL-1.
    fn timeout(&self) -> i32 {
        version(self.run.setup.driver).timeout
    }

    fn cursors(&self, ring: Ring) -> [u32; 3] {
        let ring = &self.queue.rings[ring as usize];
        [ring.next(), ring.completed(), ring.phase()]
    }

    fn act(&mut self, act: Act) {
        self.trace.acts.push(act);
    }

    fn aside(&mut self, aside: Aside) {
        self.trace.asides.push((self.trace.acts.len(), aside));
    }

    fn store(&mut self, cpu: u64, value: u32) -> Result<(), Outside> {
        self.act(Act::Store(cpu, value));
        self.memory.write(self.host(cpu), &value.to_le_bytes())
    }

    /// One pair (RING-8, BLDR).
    fn stage(&mut self, src: u64, dst: u64, size: u64, mode: i32) -> i32 {
        let pair = PairIn {
            src,
            dst,
            size,
            mode,
            arch: self.run.setup.arch,
            driver: self.run.setup.driver,
            ..PairIn::default()
        };
        let (code, built) = self.queue.prepare(self.run.setup.qid, &pair);
        if let Some((out, [tx_slot, rx_slot])) = built {
            self.rings[0][tx_slot as usize] = out.tx;
            self.rings[1][rx_slot as usize] = out.rx;
        }
        code
    }

    /// MARK-1.
    fn stage_marker(&mut self, completion: u64, mode: i32) -> Result<i32, Outside> {
        self.store(completion, MARKER)?;
        self.store(completion + 4, 0)?;
        let source = self.host(completion);
        Ok(self.stage(source, source + 4, 4, mode))
    }

    /// BTCH-4, TRIG.
    fn ring(&mut self, pairs: u32) -> i32 {
        let setup = &self.run.setup;
        let (code, events) = program::copy_start(
            version(setup.driver),
            setup.num_queues,
            setup.qid,
            setup.size,
            pairs,
            pairs,
        );
        self.events(&events);
        if code != 0 {
            return code;
        }
        for ring in [Ring::Rx, Ring::Tx] {
            let (side, size) = (ring as usize, u64::from(self.run.setup.size[ring as usize]));
            let start = self.rung[side];
            let slots = start..start + u64::from(pairs);
            let descs = slots.map(|at| self.rings[side][(at % size) as usize]);
            self.trace.bells.push(Bell {
                ring,
                start: (start % size) as u32,
                descs: Descs::All(descs.collect()),
            });
            self.rung[side] += u64::from(pairs);
        }
        let [.., rx, tx] = &self.trace.bells[..] else {
            unreachable!("two were just pushed")
        };
        let (Descs::All(tx), Descs::All(rx)) = (&tx.descs, &rx.descs) else {
            unreachable!("the law shows all")
        };
        let copies = tx.iter().zip(rx).map(|(tx, rx)| {
            let length = match tx.word[0] % 65536 {
                0 => 65536, // DESC-3
                length => u64::from(length),
            };
            (pointer(tx), pointer(rx), length)
        });
        let copies = copies.collect();
        if self.lost == 0 {
            let left = self.run.engine.delay_calls;
            self.under_way.push(UnderWay { copies, left });
        } else {
            self.lost -= 1;
        }
        0
    }

    fn events(&mut self, events: &[Event]) {
        for event in events {
            self.act(match *event {
                Event::Barrier => Act::Barrier,
                Event::Write(_, offset, value) => Act::Write(offset, value),
                Event::Read(_, offset, _) => Act::Read(offset),
            });
        }
    }

    /// QINI-5 on the same queue with the same rings, and RING-1.
    fn init_again(&mut self) {
        let setup = &self.run.setup;
        let cfg = QueueCfg {
            size: setup.size,
            base: setup.base,
            has_memory: [true; 2],
            allocatable: true,
            completion_ring: false,
        };
        let mut states = [QueueSw::default(); 2];
        let (_, events) =
            program::queue_init(setup.num_queues, setup.engine, setup.qid, &cfg, &mut states);
        self.events(&events);
        self.queue.rings = setup
            .size
            .map(|size| LawRing::new(size, true, version(setup.driver)));
        self.rung = [0; 2];
        self.under_way.clear();
    }

    /// One delay call.
    fn delay(&mut self, us: u64) -> Result<(), Outside> {
        self.now = self.now.wrapping_add(us);
        let mut done = Vec::new();
        self.under_way.retain_mut(|batch| {
            if batch.left == 0 {
                done.append(&mut batch.copies);
                return false;
            }
            batch.left -= 1;
            true
        });
        for (src, dst, length) in done {
            self.memory.copy(src, dst, length)?;
        }
        Ok(())
    }

    /// Waits for a marker (POLL-1), then stores and acknowledges (MARK-3, ACK-1, ACK-2). Whether
    /// it was seen.
    fn await_marker(
        &mut self,
        completion: u64,
        pairs: u32,
        is_async: bool,
    ) -> Result<bool, Outside> {
        let setup = &self.run.setup;
        let [first, following] =
            wait::polled(setup.arch, setup.driver, setup.platform, pairs, is_async);
        self.act(Act::Delay(first));
        self.delay(first)?;
        let word = completion + 4;
        let looks = following.saturating_add(2);
        let mut misses = 0;
        let seen = loop {
            let mut bytes = [0; 4];
            self.memory.read(self.host(word), &mut bytes)?;
            if u32::from_le_bytes(bytes) == MARKER {
                break true;
            }
            misses += 1;
            self.delay(1)?;
            if misses == looks {
                break false;
            }
            // Nothing happens in all that is left.
            let left = looks - misses;
            if self.under_way.iter().all(|batch| batch.left >= left) {
                let mut bytes = [0; 4];
                self.memory.read(self.host(word), &mut bytes)?;
                if u32::from_le_bytes(bytes) != MARKER {
                    self.under_way
                        .iter_mut()
                        .for_each(|batch| batch.left -= left);
                    self.now = self.now.wrapping_add(left);
                    misses = looks;
                    break false;
                }
            }
        };
        if misses != 0 {
            self.act(Act::PollDelay(word, misses));
        }
        if !seen {
            return Ok(false);
        }
        self.act(Act::Poll(word, 1));
        self.store(word, 0)?;
        self.store(completion, MARKER)?;
        for ring in [Ring::Rx, Ring::Tx] {
            self.queue.rings[ring as usize].ack(pairs);
            let cursors = self.cursors(ring);
            self.act(Act::Ack(ring, cursors));
        }
        Ok(true)
    }
}
