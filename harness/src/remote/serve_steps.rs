//! Queues and virtual rings of the subject here, operation by operation.

use serde::Serialize;
use udma_oracle::cases::vring::op_from_json;
use udma_oracle::subject::cycle::{Cycle, Setup, Transfers};
use udma_oracle::wire::Desc;

use super::call::{Answer, Call};
use super::outside::{Open, Outside};
use super::serve::{Server, out};

/// Most descriptors that are read at a time.
const MOST: u32 = 1 << 20;

impl Server<'_> {
    /// What a call of this file gives; another one comes back.
    pub fn steps(&mut self, call: Call) -> Result<Answer, Box<Call>> {
        Ok(match call {
            Call::TransfersOpen { setup } => self.open(&setup),
            Call::TransfersClose { transfers } => match self.queues.remove(&transfers) {
                Some(queue) => {
                    queue.borrow_owner().close();
                    out(Some(()))
                }
                None => none(transfers),
            },
            Call::Copy {
                transfers,
                transfer,
            } => self.queue(transfers, |queue| queue.copy(&transfer)),
            Call::CopyAsync {
                transfers,
                transfer,
                previous,
            } => self.queue(transfers, |queue| queue.submit(&transfer, previous)),
            Call::Wait { transfers, handle } => self.queue(transfers, |queue| queue.wait(handle)),
            Call::Memset { transfers, fill } => self.queue(transfers, |queue| queue.memset(&fill)),
            Call::Zerocopy { transfers, copy } => {
                self.queue(transfers, |queue| queue.zero_copy(&copy))
            }
            Call::ContextsOpen {
                transfers,
                contexts,
            } => self.queue(transfers, |queue| queue.contexts_open(&contexts)),
            Call::ContextsSubmit {
                transfers,
                copy,
                tag,
            } => self.queue(transfers, |queue| queue.contexts_submit(&copy, tag)),
            Call::ContextsCopy { transfers, copy } => {
                self.queue(transfers, |queue| queue.contexts_copy(&copy))
            }
            Call::ContextsAdvance { transfers } => {
                self.queue(transfers, |queue| queue.contexts_advance())
            }
            Call::ContextsState { transfers } => {
                self.queue(transfers, |queue| queue.contexts_state())
            }
            Call::ContextsAt { transfers, index } => {
                self.queue(transfers, |queue| queue.contexts_at(index))
            }
            Call::CompletionPop { transfers } => {
                self.queue(transfers, |queue| queue.completion_pop())
            }
            Call::TransferCursors { transfers } => self.queue(transfers, |queue| queue.cursors()),
            Call::BareCopyStart {
                qid,
                m2s_count,
                s2m_count,
            } => self.bare(|cycle, host| cycle.bare_copy_start(qid, m2s_count, s2m_count, host)),
            Call::SoftwarePoll { word, looks } => {
                self.bare(|cycle, host| cycle.software_poll(word, looks, host))
            }
            other => return self.vring(other),
        })
    }

    fn open(&mut self, setup: &Setup) -> Answer {
        let Some(cycle) = self.subject.cycle() else {
            return Answer::NotOffered;
        };
        let opened = Open::try_new(Outside::new(self.pipes, setup.size), |host| {
            let queue = cycle.transfers(setup, host);
            host.finish();
            queue.ok_or(())
        });
        let Ok(queue) = opened else {
            return Answer::NotOffered;
        };
        let number = self.number();
        self.queues.insert(number, queue);
        out(Some(number))
    }

    fn queue<T: Serialize>(
        &mut self,
        number: u32,
        ask: impl FnOnce(&mut dyn Transfers) -> Option<T>,
    ) -> Answer {
        let Some(queue) = self.queues.get_mut(&number) else {
            return none(number);
        };
        queue.with_dependent_mut(|host, queue| {
            let answer = ask(queue.as_mut());
            host.finish();
            out(answer)
        })
    }

    fn bare(&self, ask: impl FnOnce(&dyn Cycle, &Outside) -> Option<i32>) -> Answer {
        let Some(cycle) = self.subject.cycle() else {
            return Answer::NotOffered;
        };
        let host = Outside::new(self.pipes, [0; 2]);
        let answer = ask(cycle, &host);
        host.finish();
        out(answer)
    }

    fn vring(&mut self, call: Call) -> Result<Answer, Box<Call>> {
        let number = match &call {
            Call::VringStep { vring, .. }
            | Call::VringImage { vring }
            | Call::VringRead { vring, .. }
            | Call::PringState { vring, .. }
            | Call::PringRead { vring, .. }
            | Call::CacheStats { vring }
            | Call::HeldRead { vring, .. } => *vring,
            _ => return self.vrings(call),
        };
        let Some(machine) = self.vrings.get_mut(&number) else {
            return Ok(none(number));
        };
        Ok(match call {
            Call::VringStep { step, .. } => match op_from_json(&step) {
                Ok(op) => out(machine.step(&op)),
                Err(error) => Answer::Error(error),
            },
            Call::VringImage { .. } => out(machine.header()),
            Call::PringState { ring, .. } => out(Some(machine.pring(ring))),
            Call::CacheStats { .. } => out(Some(machine.cache())),
            Call::VringRead {
                half, first, count, ..
            } => read(count, |descs| machine.read(half, first, descs)),
            Call::HeldRead {
                holding,
                half,
                first,
                count,
                ..
            } => read(count, |descs| {
                machine.read_held(holding, half, first, descs)
            }),
            Call::PringRead {
                ring, first, count, ..
            } => {
                let there = machine.pring(ring).map_or(0, |pring| pring.memory);
                let count = u64::from(count.min(MOST)).min(there.saturating_sub(first));
                let mut descs = vec![Desc::default(); count as usize];
                machine.read_pring(ring, first, &mut descs);
                out(Some(descs))
            }
            other => return Err(Box::new(other)),
        })
    }

    fn vrings(&mut self, call: Call) -> Result<Answer, Box<Call>> {
        let vrings = self.subject.vrings();
        Ok(match call {
            Call::VringOpen { arch } => match vrings.and_then(|vrings| vrings.machine(arch)) {
                Some(machine) => {
                    let number = self.number();
                    self.vrings.insert(number, machine);
                    out(Some(number))
                }
                None => Answer::NotOffered,
            },
            Call::VringClose { vring } => {
                self.vrings.remove(&vring);
                out(Some(()))
            }
            Call::VringLayout { structure, field } => {
                out(vrings.and_then(|vrings| vrings.place(&structure, &field)))
            }
            Call::SetFill {
                name,
                rounding,
                most,
            } => out(vrings.and_then(|vrings| vrings.set(&name, rounding, most as usize))),
            other => return Err(Box::new(other)),
        })
    }
}

fn none(number: u32) -> Answer {
    Answer::Error(format!("{number} is not open"))
}

/// How many descriptors there are of those, and them.
fn read(count: u32, read: impl FnOnce(&mut [Desc]) -> u32) -> Answer {
    let mut descs = vec![Desc::default(); count.min(MOST) as usize];
    let there = read(&mut descs);
    descs.truncate(there as usize);
    out(Some((there, descs)))
}
