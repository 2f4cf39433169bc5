//! The subject's side: answers calls on standard input and output from any subject.

use std::cell::RefCell;
use std::collections::HashMap;
use std::io;
use std::rc::Rc;

use serde::Serialize;
use serde_json::Value;
use udma_oracle::cases::ring_script::Script;
use udma_oracle::cases::rings::Rings;
use udma_oracle::family::Family;
use udma_oracle::subject::vring::Machine;
use udma_oracle::subject::{Engine, Subject, Tape};
use udma_oracle::wire::{Desc, FILL, PairIn, PairOut};
use udma_reference::abi::UDMA_ABI_VERSION;

use super::call::{Answer, Call, Hello, PROTOCOL, Welcome};
use super::frame;
use super::outside::{Open, Pipes};

/// Serves until the pipe ends; with `by_access` without the suite's machine on this side, so that each
/// access goes over the pipe.
///
/// # Errors
/// Those of the pipe, and a suite that speaks another protocol.
pub fn serve(subject: &dyn Subject, pipes: Pipes, by_access: bool) -> io::Result<()> {
    let pipes = Rc::new(RefCell::new(pipes));
    let receive = || pipes.borrow_mut().receive();
    let send = |message: &[u8]| pipes.borrow_mut().send(message);
    let Some(hello) = receive()? else {
        return Ok(());
    };
    let hello: Hello = serde_json::from_slice(&hello)?;
    if hello.protocol != PROTOCOL || hello.abi != UDMA_ABI_VERSION {
        return Err(io::Error::other(format!(
            "the suite speaks protocol {} with ABI {}; this is {PROTOCOL} with {UDMA_ABI_VERSION}",
            hello.protocol, hello.abi
        )));
    }
    let welcome = Welcome {
        protocol: PROTOCOL,
        line: subject.line().name().into(),
        binary_pairs: true,
        ring_scripts: true,
        whole_cases: !by_access,
        leaves_out: subject.leaves_out(),
        arch: subject.arch(),
        notes: subject.notes(),
    };
    send(&serde_json::to_vec(&welcome)?)?;
    let mut server = Server {
        subject,
        pipes: &pipes,
        engines: HashMap::new(),
        queues: HashMap::new(),
        vrings: HashMap::new(),
        next: 0,
    };
    while let Some(message) = receive()? {
        let answer = match message.first() {
            Some(&frame::PAIRS) => server.pairs(&message),
            _ => server.json(&message)?,
        };
        send(&answer)?;
    }
    Ok(())
}

pub(super) struct Server<'a> {
    pub subject: &'a dyn Subject,
    pub pipes: &'a Rc<RefCell<Pipes>>,
    engines: HashMap<u32, (Box<dyn Engine>, Tape)>,
    pub queues: HashMap<u32, Open>,
    pub vrings: HashMap<u32, Box<dyn Machine + 'a>>,
    next: u32,
}

/// The answer of an operation that may not be offered.
pub(super) fn out<T: Serialize>(value: Option<T>) -> Answer {
    match value.map(serde_json::to_value) {
        None => Answer::NotOffered,
        Some(Ok(value)) => Answer::Out(value),
        Some(Err(error)) => Answer::Error(error.to_string()),
    }
}

/// Slots with a fence on each side; none when the fences were written.
fn fenced(
    out: &[PairOut],
    build: impl FnOnce(&mut [PairOut]) -> Option<()>,
) -> Result<Option<Vec<PairOut>>, String> {
    const FENCE: PairOut = PairOut {
        tx: FILL,
        rx: FILL,
        ret: 0x5aa5,
        unused: 0x3cc3,
    };
    let mut slots = vec![FENCE; out.len() + 2];
    let last = slots.len() - 1;
    slots[1..last].copy_from_slice(out);
    let built = build(&mut slots[1..last]);
    if slots[0] != FENCE || slots[last] != FENCE {
        return Err("it wrote outside of its slots".into());
    }
    Ok(built.map(|()| slots[1..last].to_vec()))
}

impl Server<'_> {
    /// A number for what is opened.
    pub fn number(&mut self) -> u32 {
        self.next += 1;
        self.next
    }

    fn pairs(&self, message: &[u8]) -> Vec<u8> {
        let Some((cases, out)) = frame::asked_pairs(message) else {
            return br#"{"error":"pairs of 80 bytes"}"#.to_vec();
        };
        match fenced(&out, |slots| self.subject.build_pairs(&cases, slots)) {
            Ok(Some(built)) => frame::answer_pairs(&built),
            Ok(None) => vec![frame::NO_PAIRS],
            Err(error) => serde_json::to_vec(&Answer::Error(error)).unwrap_or_default(),
        }
    }

    fn json(&mut self, message: &[u8]) -> serde_json::Result<Vec<u8>> {
        let answer = match serde_json::from_slice(message) {
            Ok(Call::Whole { family, case }) => {
                match udma_oracle::whole::answer(self.subject, &family, &case) {
                    Ok(Some(seen)) => return Ok([&[frame::SEEN], &seen[..]].concat()),
                    Ok(None) => Answer::NotOffered,
                    Err(error) => Answer::Error(error),
                }
            }
            Ok(call) => self.call(call),
            Err(error) => Answer::Error(format!("no call: {error}")),
        };
        serde_json::to_vec(&answer)
    }

    fn call(&mut self, call: Call) -> Answer {
        let subject = self.subject;
        match call {
            Call::Decode { descs, mut fields } => {
                out(subject.decode(&descs, &mut fields).map(|()| fields))
            }
            Call::Encode { fields } => {
                let mut descs = vec![Desc::default(); fields.len()];
                out(subject.encode(&fields, &mut descs).map(|()| descs))
            }
            Call::MetaDecode { word } => out(subject.meta_decode(word)),
            Call::MetaEncode { fields } => out(subject.meta_encode(&fields)),
            Call::Bits { mut cases } => out(subject.bits(&mut cases).map(|()| cases)),
            Call::Explain { view, desc } => out(subject.explain(view, &desc)),
            Call::BuildPairs { cases, out: slots } => self.build_pairs(&cases, &slots),
            Call::BuildPacket {
                packet,
                mut tx,
                mut rx,
            } => {
                let least = packet.blocks.len().max(1);
                if tx.len() < least || rx.len() < least {
                    return Answer::Error(format!("a packet of {least} blocks: as many slots"));
                }
                let ret = subject.build_packet(&packet, &mut tx, &mut rx);
                out(ret.map(|ret| (ret, tx, rx)))
            }
            Call::BuildCmeMeta { index } => out(subject.build_cme_meta(index)),
            Call::BuildCrcCopy {
                pair,
                index,
                mut tx,
                mut rx,
            } => {
                let ret = subject.build_crc_copy(&pair, index, &mut tx, &mut rx);
                out(ret.map(|ret| (ret, tx, rx)))
            }
            Call::RingSize { want } => {
                let mut sizes = vec![0; want.len()];
                out(subject.ring_size(&want, &mut sizes).map(|()| sizes))
            }
            Call::Layout { kind, name, field } => out(subject.layout(&kind, &name, &field)),
            Call::RingScript { script } => match Script::from_json(&script) {
                Ok(script) => out(Rings::ask(subject, &script)),
                Err(error) => Answer::Error(error),
            },
            Call::EngineOpen { .. }
            | Call::EngineClose { .. }
            | Call::QueueInit { .. }
            | Call::QueueSw { .. }
            | Call::RingGet { .. }
            | Call::RingId { .. }
            | Call::RingAck { .. }
            | Call::RingAvailable { .. }
            | Call::Prepare { .. }
            | Call::CopyStart { .. }
            | Call::QueueState { .. } => self.engine(call),
            Call::WaitEstimate { .. }
            | Call::HostPlace { .. }
            | Call::ZerocopyOffered { .. }
            | Call::ShadowInit { .. }
            | Call::ShadowReserve { .. }
            | Call::ShadowRingIdAt { .. }
            | Call::ShadowCommit { .. } => self.cycle(call),
            other => match self.steps(other) {
                Ok(answer) => answer,
                Err(other) => self.operation(*other),
            },
        }
    }

    fn build_pairs(&self, cases: &[PairIn], slots: &[PairOut]) -> Answer {
        if cases.len() != slots.len() {
            return Answer::Error("as many slots as pairs".into());
        }
        match fenced(slots, |slots| self.subject.build_pairs(cases, slots)) {
            Ok(built) => out(built),
            Err(error) => Answer::Error(error),
        }
    }

    /// Operations on an engine.
    fn engine(&mut self, call: Call) -> Answer {
        let number = match call {
            Call::EngineOpen { cfg } => {
                let tape = Tape::default();
                let Some(engine) = self.subject.open(&cfg, &tape) else {
                    return Answer::NotOffered;
                };
                let number = self.number();
                self.engines.insert(number, (engine, tape));
                return out(Some(number));
            }
            Call::EngineClose { engine } => {
                self.engines.remove(&engine);
                return Answer::Out(Value::Null);
            }
            Call::QueueInit { engine, .. }
            | Call::QueueSw { engine, .. }
            | Call::RingGet { engine, .. }
            | Call::RingId { engine, .. }
            | Call::RingAck { engine, .. }
            | Call::RingAvailable { engine, .. }
            | Call::Prepare { engine, .. }
            | Call::CopyStart { engine, .. }
            | Call::QueueState { engine, .. } => engine,
            _ => return Answer::Error("no operation of an engine".into()),
        };
        let Some((engine, tape)) = self.engines.get_mut(&number) else {
            return Answer::Error(format!("engine {number} is not open"));
        };
        match call {
            Call::QueueInit { qid, cfg, host, .. } => {
                tape.load(&host);
                let ret = engine.queue_init(qid, &cfg);
                out(ret.map(|ret| (ret, tape.take_events())))
            }
            Call::QueueSw { qid, ring, .. } => out(engine.queue_sw(qid, ring)),
            Call::RingGet { qid, ring, .. } => out(engine.get(qid, ring)),
            Call::RingId { qid, ring, .. } => out(engine.ring_id(qid, ring)),
            Call::RingAck {
                qid, ring, count, ..
            } => out(engine.ack(qid, ring, count)),
            Call::RingAvailable { qid, ring, .. } => out(engine.available(qid, ring)),
            Call::Prepare { qid, pair, .. } => {
                let ret = engine.prepare(qid, &pair);
                let written = engine.memory().written();
                for (ring, index, _) in &written {
                    engine.memory().put(*ring, *index, FILL);
                }
                out(ret.map(|ret| (ret, written)))
            }
            Call::CopyStart {
                qid,
                m2s_count,
                s2m_count,
                host,
                ..
            } => {
                tape.load(&host);
                let ret = engine.copy_start(qid, m2s_count, s2m_count);
                out(ret.map(|ret| (ret, tape.take_events())))
            }
            Call::QueueState {
                qid,
                sw_status,
                host,
                ..
            } => {
                tape.load(&host);
                let states = engine.queue_state(qid, sw_status);
                out(states.map(|states| (states, tape.take_events())))
            }
            _ => Answer::Error("no operation of an engine".into()),
        }
    }

    /// Questions about ring cycles, shadow queues.
    fn cycle(&self, call: Call) -> Answer {
        let Some(cycle) = self.subject.cycle() else {
            return Answer::NotOffered;
        };
        match call {
            Call::WaitEstimate { case } => out(cycle.wait_estimate(&case)),
            Call::HostPlace { arch, core } => out(cycle.host_place(arch, core)),
            Call::ZerocopyOffered { arch, overridden } => {
                out(cycle.zerocopy_offered(arch, overridden))
            }
            Call::ShadowInit { count } => out(cycle.shadow(count)),
            Call::ShadowReserve {
                mut tx,
                mut rx,
                count,
            } => {
                let reserved = cycle.shadow_reserve(&mut tx, &mut rx, count);
                out(reserved.map(|(code, first)| (code, first, tx, rx)))
            }
            Call::ShadowRingIdAt { queue, index } => out(cycle.shadow_ring_id_at(&queue, index)),
            Call::ShadowCommit { commit, mut ring } => {
                let committed = cycle.shadow_commit(&commit, &mut ring);
                out(committed.map(|(code, runs)| (code, runs, ring)))
            }
            _ => Answer::Error("no operation of a ring cycle".into()),
        }
    }

    /// Compute descriptors, engine bring-up, interrupts, BAR0, the ioctl surface.
    fn operation(&self, call: Call) -> Answer {
        let Some(ops) = self.subject.ops() else {
            return Answer::NotOffered;
        };
        match call {
            Call::OpWord { word } => out(ops.word(&word)),
            Call::OpDecode { word } => out(ops.word_set(word)),
            Call::MetaDesc { front } => out(ops.front(&front)),
            Call::DescDecode { desc } => out(ops.front_set(&desc)),
            Call::BuildTranspose {
                transpose,
                mut slot,
            } => {
                let ret = ops.transpose(&transpose, &mut slot);
                out(ret.map(|ret| (ret, slot)))
            }
            Call::TransposeName { name } => out(ops.transpose_name(&name)),
            Call::TransposeWindow { mut case } => out(ops.window(&mut case).map(|()| case)),
            Call::TransposeFlush {
                flush,
                out: mut slots,
            } => out(ops.flush(&flush, &mut slots).map(|()| slots)),
            Call::Dtypes { mut case } => out(ops.dtype(&mut case).map(|()| case)),
            Call::Remap { mut case } => out(ops.remap(&mut case).map(|()| case)),
            Call::ComboChain { mut members } => out(ops.combo(&mut members).map(|()| members)),
            Call::BuildReduction { reduction } => out(ops.reduction(&reduction)),
            Call::EngineInit { init, host } => {
                let tape = Tape::holding(&host);
                out(ops
                    .engine_init(&init, &tape)
                    .map(|sw| (sw, tape.take_events())))
            }
            Call::EngineState { num_queues, host } => {
                let tape = Tape::holding(&host);
                out(ops
                    .engine_state(num_queues, &tape)
                    .map(|state| (state, tape.take_events())))
            }
            Call::SetState { state, host } => {
                let tape = Tape::holding(&host);
                out(ops
                    .set_state(state, &tape)
                    .map(|ret| (ret, tape.take_events())))
            }
            Call::Iofic { call, host } => {
                let tape = Tape::holding(&host);
                out(ops
                    .iofic(&call, &tape)
                    .map(|answer| (answer, tape.take_events())))
            }
            Call::IoficCauses {
                revision,
                level,
                host,
            } => {
                let tape = Tape::holding(&host);
                out(ops
                    .causes(revision, level, &tape)
                    .map(|causes| (causes, tape.take_events())))
            }
            Call::Bar0 { mut cases } => out(ops.bar0(&mut cases).map(|()| cases)),
            Call::IoctlRequest { name } => out(ops.request(&name)),
            Call::IoctlName { number } => out(ops.request_name(number)),
            Call::IoctlCompose { dir, size, nr } => out(ops.compose(dir, size, nr)),
            Call::IoctlStructure { name } => out(ops.structure(&name)),
            Call::IoctlConstant { what } => out(ops.constant(&what)),
            _ => Answer::Error("no such operation".into()),
        }
    }
}
