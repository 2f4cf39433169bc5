//! The suite's side: a subject whose answers come from a child process.

use std::process::Command;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use udma_oracle::cases::ring_script::Script;
use udma_oracle::cases::rings::Steps;
use udma_oracle::line::Line;
use udma_oracle::subject::cycle::{Cycle, Host};
use udma_oracle::subject::ops::Ops;
use udma_oracle::subject::vring::Vrings;
use udma_oracle::subject::{
    Elsewhere, Engine, EngineCfg, Event, NamedField, PacketIn, RingMemory, Subject, Tape,
};
use udma_oracle::wire::{BitCase, Desc, Fields, MetaFields, PairIn, PairOut, Place};

use super::access::{Access, carry_out};
use super::call::{Answer, Call, Typed, typed};
use super::client_engine::RemoteEngine;
use super::client_steps::Held;
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

/// Messages of one call, with what is done outside: a driver that polls to the machine's patience
/// needs fewer.
const MOST_TURNS: u32 = 1 << 22;

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
    whole_cases: bool,
    leaves_out: bool,
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
        let notes = process.welcome.notes.clone();
        let shared = Shared {
            start,
            limits,
            binary_pairs: process.welcome.binary_pairs,
            ring_scripts: process.welcome.ring_scripts,
            whole_cases: process.welcome.whole_cases,
            leaves_out: process.welcome.leaves_out,
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
        self.ask_in(&mut self.state(), message)
    }

    fn ask_in(&self, state: &mut State, message: &[u8]) -> Option<Vec<u8>> {
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
        match read(&answer) {
            Ok(Said::Out(out)) => Some(out),
            Ok(Said::NotOffered) => None,
            Ok(Said::Host(_)) => self.refuse("this call has nothing to do outside"),
            Err(fault) => self.refuse(&fault),
        }
    }

    /// The same for a call that does something outside before it answers.
    pub(super) fn hosted<T: Typed>(&self, call: T, host: &dyn Host) -> Option<T::Out> {
        let call: Call = call.into();
        let mut message = serde_json::to_vec(&call).ok()?;
        let mut state = self.state();
        for _ in 0..MOST_TURNS {
            let answer = self.ask_in(&mut state, &message)?;
            let gave = match read(&answer) {
                Ok(Said::Out(out)) => return Some(out),
                Ok(Said::NotOffered) => return None,
                Ok(Said::Host(accesses)) => {
                    carry_out(host, &accesses).map_err(|fault| format!("no access: {fault}"))
                }
                Err(fault) => Err(format!("no answer: {fault}")),
            };
            match gave {
                Ok(gave) => message = serde_json::to_vec(&gave).ok()?,
                Err(fault) => {
                    state.bury(fault);
                    return None;
                }
            }
        }
        state.bury(format!("no answer in {MOST_TURNS} messages"));
        None
    }

    /// How many processes there were before the one that is asked.
    pub(super) fn process(&self) -> u32 {
        self.state().deaths
    }

    /// Whether that process is still the one that is asked.
    pub(super) fn is_alive(&self, process: u32) -> bool {
        let state = self.state();
        state.deaths == process && state.process.is_some()
    }

    /// An answer that is none is the subject's death.
    pub(super) fn refuse<T>(&self, fault: &str) -> Option<T> {
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
        self.refuse(&fault)
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
            return self.refuse(&format!("a list of {got}, asked for {want}"));
        }
        slots.copy_from_slice(answer);
        Some(())
    }
}

/// What a subject said, read.
enum Said<T> {
    Out(T),
    NotOffered,
    Host(Vec<Access>),
}

fn read<T: serde::de::DeserializeOwned>(answer: &[u8]) -> Result<Said<T>, String> {
    match serde_json::from_slice(answer) {
        Ok(Answer::NotOffered) => Ok(Said::NotOffered),
        Ok(Answer::Host(accesses)) => Ok(Said::Host(accesses)),
        Ok(Answer::Out(value)) => serde_json::from_value(value)
            .map(Said::Out)
            .map_err(|error| error.to_string()),
        Ok(Answer::Error(error)) => Err(error),
        Err(error) => Err(error.to_string()),
    }
}

impl Remote {
    /// Something that the process holds, by the call that opens it.
    pub(super) fn hold<T: Typed<Out = u32>>(
        &self,
        call: T,
        host: Option<&dyn Host>,
    ) -> Option<Held> {
        let number = match host {
            Some(host) => self.shared.hosted(call, host)?,
            None => self.shared.call(call)?,
        };
        Some(Held {
            shared: Arc::clone(&self.shared),
            number,
            process: self.shared.process(),
        })
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

    fn leaves_out(&self) -> bool {
        self.shared.leaves_out
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
        let held = self.hold(typed::EngineOpen { cfg: *engine }, None)?;
        Some(Box::new(RemoteEngine {
            held,
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

    fn elsewhere(&self) -> Option<&dyn Elsewhere> {
        self.shared.whole_cases.then_some(self)
    }

    fn ops(&self) -> Option<&dyn Ops> {
        Some(self)
    }

    fn cycle(&self) -> Option<&dyn Cycle> {
        Some(self)
    }

    fn vrings(&self) -> Option<&dyn Vrings> {
        Some(self)
    }
}

impl Elsewhere for Remote {
    fn whole(
        &self,
        family: &str,
        case: serde_json::Value,
        take: &mut dyn FnMut(&[u8]) -> Result<(), String>,
    ) -> Option<()> {
        let family = family.into();
        let message = serde_json::to_vec(&Call::Whole { family, case }).ok()?;
        let answer = self.shared.ask(&message)?;
        let fault = match answer.split_first() {
            Some((&frame::SEEN, seen)) => match take(seen) {
                Ok(()) => return Some(()),
                Err(error) => error,
            },
            _ => match serde_json::from_slice(&answer) {
                Ok(Answer::NotOffered) => return None,
                Ok(Answer::Error(error)) => error,
                Ok(Answer::Out(_) | Answer::Host(_)) => "not what was seen".into(),
                Err(error) => error.to_string(),
            },
        };
        self.shared.refuse(&fault)
    }
}
