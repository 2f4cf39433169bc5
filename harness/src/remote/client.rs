//! The suite's side: a subject whose answers come from a child process.

use std::process::Command;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use udma_oracle::cases::ring_script::Script;
use udma_oracle::cases::rings::Steps;
use udma_oracle::line::Line;
use udma_oracle::subject::cycle::Cycle;
use udma_oracle::subject::ops::Ops;
use udma_oracle::subject::{
    Engine, EngineCfg, Event, NamedField, PacketIn, QueueCfg, RingMemory, Subject, Tape,
};
use udma_oracle::wire::{
    BitCase, Desc, Fields, MetaFields, PairIn, PairOut, Place, QueueSw, Ring, RingState,
};

use super::call::{Answer, Call, Typed, typed};
use super::frame;
use super::process::{Limits, Process};

/// Deaths after which a subject is not asked any more.
const MOST_DEATHS: u32 = 64;
/// Most pairs of a sweep: what a pipe carries in a few seconds.
const PATIENCE: u64 = 4 << 20;
/// Most pairs of a sweep in JSON.
const JSON_PATIENCE: u64 = 1 << 16;

/// Cases of a check that are put one by one before they are thinned.
const CASES: u64 = 1 << 15;

/// What no subject behind pipes is asked: the calls back into the suite would be messages each.
const NOT_ASKED: &str =
    "not offered behind pipes: copies and fills on a queue, the bare start and poll, virtual rings";

/// How a child is started.
pub type Start = Box<dyn Fn() -> Command + Send + Sync>;

struct State {
    process: Option<Process>,
    death: Option<String>,
    deaths: u32,
}

/// What the subject and its engines share.
pub(super) struct Shared {
    start: Start,
    limits: Limits,
    binary_pairs: bool,
    ring_scripts: bool,
    state: Mutex<State>,
}

/// A subject behind pipes.
pub struct Remote {
    name: String,
    line: Line,
    arch: Option<u8>,
    notes: Vec<String>,
    pub(super) shared: Arc<Shared>,
}

impl Remote {
    /// Starts it a first time, to learn its line.
    ///
    /// # Errors
    /// Why it cannot be used.
    pub fn start(name: String, start: Start, limits: Limits) -> Result<Self, String> {
        let process = Process::start(start(), limits)?;
        let line = match process.welcome.line.as_str() {
            "kernel" => Line::Kernel,
            "hal" => Line::Hal,
            other => return Err(format!("its line is {other:?}: kernel or hal")),
        };
        let arch = process.welcome.arch;
        if let Some(arch) = arch
            && !(2..=4).contains(&arch)
        {
            return Err(format!("it works for architecture {arch}: 2, 3 or 4"));
        }
        let mut notes = process.welcome.notes.clone();
        notes.push(NOT_ASKED.into());
        let shared = Shared {
            start,
            limits,
            binary_pairs: process.welcome.binary_pairs,
            ring_scripts: process.welcome.ring_scripts,
            state: Mutex::new(State {
                process: Some(process),
                death: None,
                deaths: 0,
            }),
        };
        Ok(Self {
            name,
            line,
            arch,
            notes,
            shared: Arc::new(shared),
        })
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One message to the child, a fresh one if the last is dead; none when it dies.
    fn ask(&self, message: &[u8]) -> Option<Vec<u8>> {
        let mut state = self.state();
        if state.process.is_none() {
            if state.deaths >= MOST_DEATHS {
                return None;
            }
            match Process::start((self.start)(), self.limits) {
                Ok(process) => state.process = Some(process),
                Err(error) => {
                    state.bury(error);
                    return None;
                }
            }
        }
        match state.process.as_mut()?.ask(message) {
            Ok(answer) => Some(answer),
            Err(death) => {
                state.bury(death);
                None
            }
        }
    }

    /// A call; none when it is not offered or the subject died.
    pub(super) fn call<T: Typed>(&self, call: T) -> Option<T::Out> {
        let call: Call = call.into();
        let message = serde_json::to_vec(&call).ok()?;
        let answer = self.ask(&message)?;
        let fault = match serde_json::from_slice(&answer) {
            Ok(Answer::NotOffered) => return None,
            Ok(Answer::Out(value)) => match serde_json::from_value(value) {
                Ok(out) => return Some(out),
                Err(error) => error.to_string(),
            },
            Ok(Answer::Error(error)) => error,
            Err(error) => error.to_string(),
        };
        self.state().bury(format!("no answer: {fault}"));
        None
    }

    /// A call that works on registers.
    pub(super) fn on_tape<T, A>(&self, tape: &Tape, call: T) -> Option<A>
    where
        T: Typed<Out = (A, Vec<Event>)>,
    {
        let (answer, events) = self.call(call)?;
        tape.replay(&events);
        Some(answer)
    }

    fn pairs(&self, cases: &[PairIn], out: &mut [PairOut]) -> Option<()> {
        if !self.binary_pairs {
            let call = typed::BuildPairs {
                cases: cases.to_vec(),
                out: out.to_vec(),
            };
            return self.fill(out, call);
        }
        let answer = self.ask(&frame::ask_pairs(cases, out))?;
        if answer == [frame::NO_PAIRS] {
            return None;
        }
        if answer.first() == Some(&frame::PAIRS) && frame::answered_pairs(&answer, out) {
            return Some(());
        }
        let fault = match serde_json::from_slice(&answer) {
            Ok(Answer::Error(error)) => error,
            _ => format!("{} bytes for {} pairs", answer.len(), out.len()),
        };
        self.state().bury(format!("no answer: {fault}"));
        None
    }

    /// A call whose answer is as long as the slots it goes into.
    pub(super) fn fill<E: Copy, T: Typed<Out = Vec<E>>>(
        &self,
        slots: &mut [E],
        call: T,
    ) -> Option<()> {
        let answer = self.call(call)?;
        self.filled(slots, &answer)
    }

    pub(super) fn filled<E: Copy>(&self, slots: &mut [E], answer: &[E]) -> Option<()> {
        if answer.len() != slots.len() {
            let (got, want) = (answer.len(), slots.len());
            self.state()
                .bury(format!("no answer: a list of {got}, asked for {want}"));
            return None;
        }
        slots.copy_from_slice(answer);
        Some(())
    }
}

impl State {
    fn bury(&mut self, death: String) {
        self.process = None;
        self.deaths += 1;
        self.death = Some(if self.deaths == MOST_DEATHS {
            format!("{death}; that is death {MOST_DEATHS}: it is not asked any more")
        } else {
            death
        });
    }
}

impl Subject for Remote {
    fn name(&self) -> &str {
        &self.name
    }

    fn line(&self) -> Line {
        self.line
    }

    fn arch(&self) -> Option<u8> {
        self.arch
    }

    fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }

    fn death(&self) -> Option<String> {
        self.shared.state().death.take()
    }

    fn patience(&self) -> u64 {
        if self.shared.binary_pairs {
            PATIENCE
        } else {
            JSON_PATIENCE
        }
    }

    fn patience_by_case(&self) -> u64 {
        CASES
    }

    fn decode(&self, descs: &[Desc], fields: &mut [Fields]) -> Option<()> {
        let call = typed::Decode {
            descs: descs.to_vec(),
            fields: fields.to_vec(),
        };
        self.shared.fill(fields, call)
    }

    fn encode(&self, fields: &[Fields], descs: &mut [Desc]) -> Option<()> {
        let call = typed::Encode {
            fields: fields.to_vec(),
        };
        self.shared.fill(descs, call)
    }

    fn meta_decode(&self, word: u32) -> Option<MetaFields> {
        self.shared.call(typed::MetaDecode { word })
    }

    fn meta_encode(&self, fields: &MetaFields) -> Option<u32> {
        self.shared.call(typed::MetaEncode { fields: *fields })
    }

    fn bits(&self, cases: &mut [BitCase]) -> Option<()> {
        let call = typed::Bits {
            cases: cases.to_vec(),
        };
        self.shared.fill(cases, call)
    }

    fn explain(&self, view: u32, desc: &Desc) -> Option<Vec<NamedField>> {
        self.shared.call(typed::Explain { view, desc: *desc })
    }

    fn build_pairs(&self, cases: &[PairIn], out: &mut [PairOut]) -> Option<()> {
        self.shared.pairs(cases, out)
    }

    fn build_packet(&self, case: &PacketIn, tx: &mut [Desc], rx: &mut [Desc]) -> Option<i32> {
        let call = typed::BuildPacket {
            packet: case.clone(),
            tx: tx.to_vec(),
            rx: rx.to_vec(),
        };
        let (ret, built_tx, built_rx) = self.shared.call(call)?;
        self.shared.filled(tx, &built_tx)?;
        self.shared.filled(rx, &built_rx)?;
        Some(ret)
    }

    fn build_cme_meta(&self, index: u32) -> Option<Desc> {
        self.shared.call(typed::BuildCmeMeta { index })
    }

    fn build_crc_copy(
        &self,
        case: &PairIn,
        index: u32,
        tx: &mut [Desc; 2],
        rx: &mut Desc,
    ) -> Option<i32> {
        let call = typed::BuildCrcCopy {
            pair: *case,
            index,
            tx: *tx,
            rx: *rx,
        };
        let (ret, built_tx, built_rx) = self.shared.call(call)?;
        (*tx, *rx) = (built_tx, built_rx);
        Some(ret)
    }

    fn ring_size(&self, want: &[u32], out: &mut [u32]) -> Option<()> {
        let call = typed::RingSize {
            want: want.to_vec(),
        };
        self.shared.fill(out, call)
    }

    fn open(&self, engine: &EngineCfg, tape: &Tape) -> Option<Box<dyn Engine>> {
        let number = self.shared.call(typed::EngineOpen { cfg: *engine })?;
        Some(Box::new(RemoteEngine {
            shared: Arc::clone(&self.shared),
            engine: number,
            tape: tape.clone(),
            memory: RingMemory::default(),
        }))
    }

    fn layout(&self, kind: &str, name: &str, field: &str) -> Option<Place> {
        self.shared.call(typed::Layout {
            kind: kind.into(),
            name: name.into(),
            field: field.into(),
        })
    }

    fn ring_script(&self, script: &Script) -> Option<Steps> {
        if !self.shared.ring_scripts {
            return None;
        }
        let script = script.to_json();
        self.shared.call(typed::RingScript { script })
    }

    fn ops(&self) -> Option<&dyn Ops> {
        Some(self)
    }

    fn cycle(&self) -> Option<&dyn Cycle> {
        Some(self)
    }
}

struct RemoteEngine {
    shared: Arc<Shared>,
    engine: u32,
    tape: Tape,
    memory: RingMemory,
}

impl Drop for RemoteEngine {
    fn drop(&mut self) {
        let engine = self.engine;
        // A fresh process has no such engine, and one that is dead needs no word.
        if self.shared.state().process.is_some() {
            self.shared.call(typed::EngineClose { engine });
        }
    }
}

impl Engine for RemoteEngine {
    fn queue_init(&mut self, qid: u32, cfg: &QueueCfg) -> Option<i32> {
        self.memory = RingMemory::new(cfg.size);
        let call = typed::QueueInit {
            engine: self.engine,
            qid,
            cfg: *cfg,
            host: self.tape.contents(),
        };
        self.shared.on_tape(&self.tape, call)
    }

    fn queue_sw(&self, qid: u32, ring: Ring) -> Option<QueueSw> {
        let engine = self.engine;
        self.shared.call(typed::QueueSw { engine, qid, ring })
    }

    fn get(&mut self, qid: u32, ring: Ring) -> Option<i64> {
        let engine = self.engine;
        self.shared.call(typed::RingGet { engine, qid, ring })
    }

    fn ring_id(&mut self, qid: u32, ring: Ring) -> Option<u32> {
        let engine = self.engine;
        self.shared.call(typed::RingId { engine, qid, ring })
    }

    fn ack(&mut self, qid: u32, ring: Ring, count: u32) -> Option<i32> {
        self.shared.call(typed::RingAck {
            engine: self.engine,
            qid,
            ring,
            count,
        })
    }

    fn available(&mut self, qid: u32, ring: Ring) -> Option<i64> {
        let engine = self.engine;
        self.shared.call(typed::RingAvailable { engine, qid, ring })
    }

    fn prepare(&mut self, qid: u32, pair: &PairIn) -> Option<i32> {
        let call = typed::Prepare {
            engine: self.engine,
            qid,
            pair: *pair,
        };
        let (ret, written) = self.shared.call(call)?;
        for (ring, index, desc) in written {
            if !self.memory.put(ring, index, desc) {
                let name = ring.name();
                self.shared
                    .state()
                    .bury(format!("no answer: {name} has no slot {index}"));
                return None;
            }
        }
        Some(ret)
    }

    fn copy_start(&mut self, qid: u32, m2s_count: u32, s2m_count: u32) -> Option<i32> {
        let call = typed::CopyStart {
            engine: self.engine,
            qid,
            m2s_count,
            s2m_count,
            host: self.tape.contents(),
        };
        self.shared.on_tape(&self.tape, call)
    }

    fn queue_state(&mut self, qid: u32, sw_status: [u32; 2]) -> Option<[RingState; 2]> {
        let call = typed::QueueState {
            engine: self.engine,
            qid,
            sw_status,
            host: self.tape.contents(),
        };
        self.shared.on_tape(&self.tape, call)
    }

    fn memory(&self) -> &RingMemory {
        &self.memory
    }
}
