//! Queues and virtual rings behind pipes, operation by operation: for subjects that do not take whole
//! cases.

use std::sync::Arc;

use udma_oracle::cases::vring::op_to_json;
use udma_oracle::subject::cycle::{Contexts, Cursors, Fill, Host, Transfer, Transfers, ZeroCopy};
use udma_oracle::subject::vring::{
    CacheStats, Header, Machine, Member, Op, Outcome, PringState, Vrings,
};
use udma_oracle::subject::{Event, Tape};
use udma_oracle::wire::{Desc, Place, Ring};

use super::call::{Typed, typed};
use super::client::{Remote, Shared};

/// Something that a process holds under a number, as long as the process lives.
pub(super) struct Held {
    pub shared: Arc<Shared>,
    pub number: u32,
    pub process: u32,
}

impl Held {
    pub fn call<T: Typed>(&self, call: T) -> Option<T::Out> {
        self.shared.is_alive(self.process).then_some(())?;
        self.shared.call(call)
    }

    /// A call that works on registers.
    pub fn on_tape<T, A>(&self, tape: &Tape, call: T) -> Option<A>
    where
        T: Typed<Out = (A, Vec<Event>)>,
    {
        self.shared.is_alive(self.process).then_some(())?;
        self.shared.on_tape(tape, call)
    }

    fn hosted<T: Typed>(&self, call: T, host: &dyn Host) -> Option<T::Out> {
        self.shared.is_alive(self.process).then_some(())?;
        self.shared.hosted(call, host)
    }
}

/// A queue open for transfers.
pub(super) struct Queue<'a> {
    pub held: Held,
    pub host: &'a dyn Host,
}

impl Drop for Queue<'_> {
    fn drop(&mut self) {
        let transfers = self.held.number;
        self.held
            .hosted(typed::TransfersClose { transfers }, self.host);
    }
}

impl Queue<'_> {
    fn ask<T: Typed>(&self, call: T) -> Option<T::Out> {
        self.held.hosted(call, self.host)
    }
}

impl Transfers for Queue<'_> {
    fn copy(&mut self, transfer: &Transfer) -> Option<i32> {
        self.ask(typed::Copy {
            transfers: self.held.number,
            transfer: *transfer,
        })
    }

    fn submit(&mut self, transfer: &Transfer, previous: i32) -> Option<(i32, i32)> {
        self.ask(typed::CopyAsync {
            transfers: self.held.number,
            transfer: *transfer,
            previous,
        })
    }

    fn wait(&mut self, handle: i32) -> Option<i32> {
        let transfers = self.held.number;
        self.ask(typed::Wait { transfers, handle })
    }

    fn memset(&mut self, fill: &Fill) -> Option<i32> {
        let (transfers, fill) = (self.held.number, *fill);
        self.ask(typed::Memset { transfers, fill })
    }

    fn zero_copy(&mut self, copy: &ZeroCopy) -> Option<i32> {
        let (transfers, copy) = (self.held.number, *copy);
        self.ask(typed::Zerocopy { transfers, copy })
    }

    fn contexts_open(&mut self, contexts: &Contexts) -> Option<()> {
        self.ask(typed::ContextsOpen {
            transfers: self.held.number,
            contexts: *contexts,
        })
    }

    fn contexts_submit(&mut self, copy: &ZeroCopy, tag: u64) -> Option<i32> {
        self.ask(typed::ContextsSubmit {
            transfers: self.held.number,
            copy: *copy,
            tag,
        })
    }

    fn contexts_copy(&mut self, copy: &ZeroCopy) -> Option<i32> {
        let (transfers, copy) = (self.held.number, *copy);
        self.ask(typed::ContextsCopy { transfers, copy })
    }

    fn contexts_advance(&mut self) -> Option<bool> {
        let transfers = self.held.number;
        self.ask(typed::ContextsAdvance { transfers })
    }

    fn contexts_state(&self) -> Option<[u64; 5]> {
        let transfers = self.held.number;
        self.ask(typed::ContextsState { transfers })
    }

    fn contexts_at(&self, index: u32) -> Option<u32> {
        let transfers = self.held.number;
        self.ask(typed::ContextsAt { transfers, index })
    }

    fn completion_pop(&mut self) -> Option<Option<(u64, i32)>> {
        let transfers = self.held.number;
        self.ask(typed::CompletionPop { transfers })
    }

    fn cursors(&self) -> Option<Cursors> {
        let transfers = self.held.number;
        self.ask(typed::TransferCursors { transfers })
    }
}

/// A vring, prings, a cache.
struct Script(Held);

impl Drop for Script {
    fn drop(&mut self) {
        let vring = self.0.number;
        self.0.call(typed::VringClose { vring });
    }
}

impl Script {
    /// What a read gave, into `out`; how many there were.
    fn filled(&self, answer: Option<(u32, Vec<Desc>)>, out: &mut [Desc]) -> u32 {
        let Some((count, descs)) = answer else {
            return 0;
        };
        let there = (count as usize).min(out.len());
        if self.0.shared.filled(&mut out[..there], &descs).is_none() {
            return 0;
        }
        count
    }
}

impl Machine for Script {
    fn step(&mut self, op: &Op) -> Option<Outcome> {
        let (vring, step) = (self.0.number, op_to_json(op));
        self.0.call(typed::VringStep { vring, step })
    }

    fn header(&self) -> Option<Header> {
        let vring = self.0.number;
        self.0.call(typed::VringImage { vring })
    }

    fn read(&self, half: Ring, first: u32, out: &mut [Desc]) -> u32 {
        let answer = self.0.call(typed::VringRead {
            vring: self.0.number,
            half,
            first,
            count: out.len() as u32,
        });
        self.filled(answer, out)
    }

    fn pring(&self, ring: Ring) -> Option<PringState> {
        let vring = self.0.number;
        self.0.call(typed::PringState { vring, ring })?
    }

    fn read_pring(&self, ring: Ring, first: u64, out: &mut [Desc]) {
        let answer = self.0.call(typed::PringRead {
            vring: self.0.number,
            ring,
            first,
            count: out.len() as u32,
        });
        if let Some(descs) = answer {
            self.0.shared.filled(out, &descs);
        }
    }

    fn cache(&self) -> Option<CacheStats> {
        let vring = self.0.number;
        self.0.call(typed::CacheStats { vring })?
    }

    fn read_held(&self, holding: u32, half: Ring, first: u32, out: &mut [Desc]) -> u32 {
        let answer = self.0.call(typed::HeldRead {
            vring: self.0.number,
            holding,
            half,
            first,
            count: out.len() as u32,
        });
        self.filled(answer, out)
    }
}

impl Vrings for Remote {
    fn machine(&self, arch: u8) -> Option<Box<dyn Machine + '_>> {
        let held = self.hold(typed::VringOpen { arch }, None)?;
        Some(Box::new(Script(held)))
    }

    fn place(&self, structure: &str, field: &str) -> Option<Option<Place>> {
        self.shared.call(typed::VringLayout {
            structure: structure.into(),
            field: field.into(),
        })
    }

    fn set(&self, name: &str, rounding: bool, most: usize) -> Option<(Vec<Member>, i32)> {
        self.shared.call(typed::SetFill {
            name: name.into(),
            rounding,
            most: most as u32,
        })
    }
}
