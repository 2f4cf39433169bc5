//! What a program must satisfy beyond its types: names that exist, numbers that fit.

use std::collections::BTreeSet;

use super::script::Authored;
use super::step::Block;
use super::{Arch, At, Fill, Op, Piece, Program, Step, fill};

/// A value that may not stand where it does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bad {
    /// Place in the program: `steps[3].size`.
    pub place: String,
    /// The value and its bound.
    pub what: String,
}

/// Most bytes of one buffer: 4 GiB.
pub const MOST_BYTES: u64 = 1 << 32;
/// Most descriptors of a ring that a program has memory for.
pub const MOST_DESCRIPTORS: u32 = 1 << 20;
/// Most engines and queues that a program tells apart.
pub const MOST_ENGINES: u32 = 4;
/// Queues of an engine.
pub const QUEUES: u32 = 16;
/// Bytes that no device has: 64 TiB.
const NO_ROOM: u64 = 1 << 46;
/// Most times of a `repeat`.
pub const MOST_TIMES: u32 = 1 << 20;
/// Most bytes of a packet's block or of a pair.
const PAIR: u64 = 0x1_0000;

fn bad<T>(place: impl Into<String>, what: impl Into<String>) -> Result<T, Bad> {
    Err(Bad {
        place: place.into(),
        what: what.into(),
    })
}

fn within(place: String, value: u64, low: u64, high: u64) -> Result<(), Bad> {
    if (low..=high).contains(&value) {
        return Ok(());
    }
    bad(place, format!("{value} is not in {low} to {high}"))
}

/// Checks a whole program and names the first value that does not fit.
///
/// # Errors
/// [`Bad`].
pub fn check(program: &Program) -> Result<(), Bad> {
    let name_fits = |name: &str| {
        let letters = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        name.starts_with(|first: char| first.is_ascii_alphabetic()) && name.chars().all(letters)
    };
    let mut names = BTreeSet::new();
    let named = program
        .buffers
        .iter()
        .enumerate()
        .map(|(at, buffer)| ("buffers", at, &buffer.name));
    let rings = program
        .rings
        .iter()
        .enumerate()
        .map(|(at, ring)| ("rings", at, &ring.name));
    for (list, at, name) in named.chain(rings) {
        let place = format!("{list}[{at}].name");
        if !name_fits(name) {
            return bad(
                place,
                format!("{name:?}: letters, digits and _ after a letter"),
            );
        }
        if !names.insert(name) {
            return bad(
                place,
                format!("{name:?} is the name of another buffer or ring"),
            );
        }
    }
    if program.rules.is_empty() {
        return bad("rules", "[]: at least one rule");
    }
    for (at, buffer) in program.buffers.iter().enumerate() {
        within(format!("buffers[{at}].size"), buffer.size.0, 1, MOST_BYTES)?;
        check_fill(&format!("buffers[{at}].fill"), &buffer.fill)?;
    }
    let mut queues = BTreeSet::new();
    for (at, ring) in program.rings.iter().enumerate() {
        let place = |member| format!("rings[{at}].{member}");
        within(
            place("engine"),
            ring.engine.into(),
            0,
            u64::from(MOST_ENGINES) - 1,
        )?;
        within(place("queue"), ring.queue.into(), 0, u64::from(QUEUES) - 1)?;
        within(place("tx"), ring.tx.into(), 1, MOST_DESCRIPTORS.into())?;
        within(place("rx"), ring.rx.into(), 1, MOST_DESCRIPTORS.into())?;
        if !queues.insert((ring.engine, ring.queue)) {
            let what = format!(
                "queue {} of engine {} is another ring's",
                ring.queue, ring.engine
            );
            return bad(place("queue"), what);
        }
    }
    let mut given = BTreeSet::new();
    steps(program, "steps", &program.steps, &mut given, true)?;
    if program.outcomes.is_empty() {
        return bad("outcomes", "[]: at least one outcome");
    }
    outcomes(program, &given)
}

fn outcomes(program: &Program, given: &BTreeSet<(Kind, String)>) -> Result<(), Bad> {
    for (at, outcome) in program.outcomes.iter().enumerate() {
        let path = format!("outcomes[{at}]");
        for (index, patch) in outcome.memory.iter().enumerate() {
            let place = format!("{path}.memory[{index}]");
            let size = pieces(program, &format!("{place}.is"), &patch.is)?;
            inside(program, format!("{place}.at"), &patch.at, size)?;
        }
        for (name, list) in &outcome.reads {
            pieces(program, &format!("{path}.reads.{name}"), list)?;
        }
        let wanted = [
            (Kind::Read, outcome.reads.keys().collect::<Vec<_>>()),
            (Kind::Copied, outcome.copied.keys().collect()),
            (Kind::State, outcome.states.keys().collect()),
        ];
        for (kind, names) in wanted {
            for name in names {
                if !given.contains(&(kind, name.clone())) {
                    let what = format!("{name:?} is given by no {} step", kind.name());
                    return bad(path, what);
                }
            }
        }
        for (kind, name) in given {
            let stated = match kind {
                Kind::Read => outcome.reads.contains_key(name),
                Kind::Copied => outcome.copied.contains_key(name),
                Kind::State => outcome.states.contains_key(name),
            };
            if !stated {
                return bad(
                    path,
                    format!("says nothing of {name:?}, which a step gives"),
                );
            }
        }
        for slots in outcome.copied.values() {
            for slot in slots {
                exists(program, format!("{path}.copied"), &slot.pointer)?;
            }
        }
        if let Some(name) = outcome
            .rings
            .keys()
            .find(|name| program.ring(name).is_none())
        {
            return bad(format!("{path}.rings"), format!("{name:?} is no ring"));
        }
    }
    Ok(())
}

/// What a step puts under a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Read,
    Copied,
    State,
}

impl Kind {
    const fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Copied => "copy_out",
            Self::State => "state",
        }
    }
}

fn check_fill(place: &str, fill: &Fill) -> Result<(), Bad> {
    if let Fill::Hex(text) = fill
        && let Err(what) = fill::bytes_of_hex(text)
    {
        return bad(place, what);
    }
    Ok(())
}

fn pieces(program: &Program, place: &str, list: &[Piece]) -> Result<u64, Bad> {
    let mut size = 0u64;
    for (at, piece) in list.iter().enumerate() {
        match piece {
            Piece::Of { of, size } => {
                let place = format!("{place}[{at}].of");
                inside(program, place.clone(), of, size.0)?;
                if of
                    .named()
                    .is_some_and(|(name, _)| program.buffer(name).is_none())
                {
                    return bad(
                        place,
                        format!("{of}: only buffers have contents beforehand"),
                    );
                }
            }
            Piece::Fill { fill, .. } => check_fill(&format!("{place}[{at}].fill"), fill)?,
        }
        within(format!("{place}[{at}].size"), piece.size(), 1, MOST_BYTES)?;
        size += piece.size();
    }
    Ok(size)
}

/// Bytes behind a name: of a buffer, of a ring's memory, of its marker.
pub fn extent(program: &Program, name: &str) -> Option<u64> {
    if let Some(buffer) = program.buffer(name) {
        return Some(buffer.size.0);
    }
    let (ring, part) = name.split_once('.')?;
    let ring = program.ring(ring)?;
    match part {
        "tx" => Some(u64::from(ring.tx) * 16),
        "rx" => Some(u64::from(ring.rx) * 16),
        "marker" => Some(8),
        _ => None,
    }
}

fn exists(program: &Program, place: String, at: &At) -> Result<(), Bad> {
    match at.named() {
        Some((name, _)) if extent(program, name).is_none() => {
            let what = format!("{name:?} is no buffer, and no RING.tx, RING.rx or RING.marker");
            bad(place, what)
        }
        _ => Ok(()),
    }
}

/// A range that the driver or the expectation reaches: inside of what it names.
fn inside(program: &Program, place: String, at: &At, size: u64) -> Result<(), Bad> {
    exists(program, place.clone(), at)?;
    let Some((name, offset)) = at.named() else {
        return bad(place, format!("{at}: a name is needed here"));
    };
    let whole = extent(program, name).unwrap_or_default();
    let end = u64::try_from(offset)
        .ok()
        .and_then(|offset| offset.checked_add(size));
    if end.is_none_or(|end| end > whole) {
        return bad(
            place,
            format!("{size} bytes at {at} do not lie in its {whole}"),
        );
    }
    Ok(())
}

fn packet(place: String, blocks: &[Block]) -> Result<(), Bad> {
    within(place.clone(), blocks.len() as u64, 1, 128)?;
    blocks
        .iter()
        .try_for_each(|block| within(format!("{place}.size"), block.size.0, 1, PAIR))
}

/// What a `vring` step puts on its virtual ring.
fn authored(program: &Program, path: &str, script: &[Authored]) -> Result<(), Bad> {
    let mut descriptors = 0;
    for (index, op) in script.iter().enumerate() {
        let place = |member: &str| format!("{path}[{index}].{member}");
        for (member, at) in op.places() {
            exists(program, place(member), at)?;
        }
        match op {
            Authored::Transfer(transfer) | Authored::TransferEx(transfer) => {
                within(place("size"), transfer.size.0, 0, MOST_BYTES)?;
                descriptors += transfer.size.0.div_ceil(PAIR);
            }
            Authored::Packet { blocks, .. } => {
                packet(place("blocks"), blocks)?;
                descriptors += blocks.len() as u64;
            }
            Authored::Poke { .. } => descriptors += 1,
            Authored::Pack { .. }
            | Authored::DmbOnLastPacket
            | Authored::AddrRewrite { .. }
            | Authored::Template { .. }
            | Authored::Resolve { .. } => {}
        }
        if descriptors > MOST_DESCRIPTORS.into() {
            let what = format!("{descriptors} descriptors by now: at most {MOST_DESCRIPTORS}");
            return bad(format!("{path}[{index}]"), what);
        }
    }
    Ok(())
}

fn steps(
    program: &Program,
    path: &str,
    list: &[Step],
    given: &mut BTreeSet<(Kind, String)>,
    outermost: bool,
) -> Result<(), Bad> {
    for (index, step) in list.iter().enumerate() {
        let place = |member: &str| format!("{path}[{index}].{member}");
        let known = |ring: &String| {
            if program.ring(ring).is_some() {
                return Ok(());
            }
            bad(place("ring"), format!("{ring:?} is no ring of the program"))
        };
        let mut give = |kind, name: &String| {
            if !given.insert((kind, name.clone())) {
                return bad(place("as"), format!("{name:?} is given by another step"));
            }
            if !outermost {
                return bad(place("as"), format!("{name:?} inside a repeat"));
            }
            Ok(())
        };
        let raw = |member: &str, list: &[super::step::Raw]| {
            for (at, desc) in list.iter().enumerate() {
                let place = place(&format!("{member}[{at}]"));
                within(format!("{place}.word0"), desc.word0.0, 0, u32::MAX.into())?;
                within(format!("{place}.word1"), desc.word1.0, 0, u32::MAX.into())?;
                within(
                    format!("{place}.phase"),
                    desc.phase.unwrap_or(0).into(),
                    0,
                    3,
                )?;
                exists(program, format!("{place}.pointer"), &desc.pointer)?;
            }
            Ok(())
        };
        let both = |src: &At, dst: &At| {
            exists(program, place("src"), src)?;
            exists(program, place("dst"), dst)
        };
        // The driver checks its own ranges: what is meant to be refused may lie outside.
        let reach = |member: &str, at: &At, size: u64| match step.code {
            0 => inside(program, place(member), at, size),
            _ => exists(program, place(member), at),
        };
        match &step.op {
            Op::Init {
                ring,
                engine,
                queue,
                ..
            } => {
                known(ring)?;
                if (engine.is_some() || queue.is_some()) && step.code == 0 {
                    let what =
                        "a queue other than the ring's may only be asked for in vain: code 0";
                    return bad(place("queue"), what);
                }
            }
            Op::InitBatch { rings, count } => {
                rings.iter().try_for_each(known)?;
                // DEV-14: what lies behind the rings' entries is of no queue.
                if let Some(count) = count {
                    within(place("count"), (*count).into(), 256, u32::MAX.into())?;
                }
            }
            Op::Copy {
                ring,
                src,
                dst,
                size,
                ..
            } => {
                known(ring)?;
                both(src, dst)?;
                within(place("size"), size.0, 1, MOST_BYTES)?;
            }
            Op::Packet { ring, blocks, .. } => {
                known(ring)?;
                packet(place("blocks"), blocks)?;
                for block in blocks {
                    both(&block.src, &block.dst)?;
                }
            }
            Op::Vring {
                ring,
                script,
                padded,
                scratch,
            } => {
                known(ring)?;
                authored(program, &place("script"), script)?;
                within(
                    place("padded"),
                    padded.unwrap_or(0).into(),
                    0,
                    MOST_DESCRIPTORS.into(),
                )?;
                match scratch {
                    Some(at) => inside(program, place("scratch"), at, 4)?,
                    None if padded.is_some() => {
                        return bad(place("scratch"), "is needed by the no-ops of \"padded\"");
                    }
                    None => {}
                }
            }
            Op::Raw { ring, tx, rx } => {
                known(ring)?;
                raw("tx", tx)?;
                raw("rx", rx)?;
            }
            Op::CopyDescriptors {
                ring,
                descriptors,
                times,
                last,
                ..
            } => {
                known(ring)?;
                within(place("times"), (*times).into(), 1, MOST_DESCRIPTORS.into())?;
                raw("descriptors", descriptors)?;
                raw("last", last.as_slice())?;
            }
            Op::Marker { ring, .. }
            | Op::Doorbell { ring, .. }
            | Op::Wait { ring, .. }
            | Op::Ack { ring, .. }
            | Op::SetState { ring, .. } => known(ring)?,
            Op::BarWrite {
                ring,
                register,
                value,
                ..
            } => {
                known(ring)?;
                within(place("register"), register.0, 0, 0xfff)?;
                within(place("value"), value.0, 0, u32::MAX.into())?;
            }
            Op::State { ring, r#as } | Op::EngineState { ring, r#as } => {
                known(ring)?;
                give(Kind::State, r#as)?;
            }
            Op::CopyOut {
                ring, r#as, count, ..
            } => {
                known(ring)?;
                within(place("count"), (*count).into(), 0, MOST_DESCRIPTORS.into())?;
                give(Kind::Copied, r#as)?;
            }
            Op::Memset { at, size, .. } | Op::Write { at, size, .. } => reach("at", at, size.0)?,
            Op::Read { at, size, r#as } => {
                reach("at", at, size.0)?;
                within(place("size"), size.0, 1, MOST_BYTES)?;
                give(Kind::Read, r#as)?;
            }
            Op::DriverCopy { src, dst, size } | Op::AsyncCopy { src, dst, size, .. } => {
                reach("src", src, size.0)?;
                reach("dst", dst, size.0)?;
            }
            Op::AsyncWait { src, dst, .. } => both(src, dst)?,
            Op::Info { buffer, r#as } => {
                if program.buffer(buffer).is_none() {
                    return bad(place("buffer"), format!("{buffer:?} is no buffer"));
                }
                give(Kind::State, r#as)?;
            }
            Op::Alloc { size, .. } => {
                if step.code == 0 {
                    return bad(place("code"), "0: memory is allocated by buffers alone");
                }
                let is_invalid = |arch: Arch| step.op.is_invalid_alloc(arch);
                if size.0 < NO_ROOM && !Arch::ALL.into_iter().all(is_invalid) {
                    return bad(
                        place("size"),
                        format!(
                            "{size}: may be granted: only what must be refused is asked for, such as {NO_ROOM}"
                        ),
                    );
                }
            }
            Op::Request { number } => within(place("number"), number.0, 0, u32::MAX.into())?,
            Op::Repeat {
                times,
                steps: inner,
            } => {
                within(place("times"), (*times).into(), 1, MOST_TIMES.into())?;
                steps(program, &place("steps"), inner, given, false)?;
            }
        }
    }
    Ok(())
}
