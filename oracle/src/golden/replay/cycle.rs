//! Recorded ring cycles: copies, fills, zero-copy, waits.

use serde_json::Value;

use super::super::reader::RawCase;
use super::{Counts, code, cursors, recorded};
use crate::cases::cycle::Program;
use crate::cases::cycle::question::{Estimate, Of, Place};
use crate::cases::json;
use crate::cycle::trace::{Act, Bell, Descs, Trace, hex_of};
use crate::cycle::{Behaviour, PAGE, Region, Run, Step, User, Warmup};
use crate::law::cycle::{Required, required};
use crate::model::{Memory, Pattern};
use crate::session::Session;
use crate::subject::cycle::{Fill, Setup, Transfer, ZeroCopy};
use crate::wire::{Desc, Ring, from_hex, pointer};

use sha2::{Digest, Sha256};

/// Bytes behind a destination, and before a fill's, that stay as they are.
const GUARD: u64 = 64;
/// The driver's own (BTCH-1, BTCH-2).
const CHUNK: u32 = 65536;
const THRESHOLD: u32 = 2031;
/// Completion buffers of a queue whose recording does not say where they lie.
const NO_MARKER: u64 = 0x1_0000_0000;
/// Destinations up to this many bytes are hashed in a plain run; a deep one hashes all. Whatever
/// its size, a destination is compared with what it is to hold.
const MOST_HASHED: u64 = 1 << 20;

/// The queue of a recorded layout.
fn setup(input: &Value) -> Result<Setup, String> {
    let layout = json::member(input, "layout")?;
    let window = json::get(layout, "host_window")?;
    let size = json::get32(layout, "ring_descs")?;
    let completion = match layout.get("marker") {
        Some(marker) => json::number(marker, "marker")? & !window,
        None => NO_MARKER,
    };
    Ok(Setup {
        arch: json::get_arch(input)?,
        driver: 0,
        platform: 0,
        num_queues: 16,
        engine: json::get32(layout, "engine")?,
        qid: json::get32(layout, "queue")?,
        core: json::get32(input, "nc")?,
        size: [size; 2],
        base: [json::get(layout, "tx_ring")?, json::get(layout, "rx_ring")?],
        completion,
        chunk: CHUNK,
        threshold: THRESHOLD,
    })
}

/// HOST-1, HOST-2: what a layout says of the place of its core.
fn place(session: &mut Session, suite: &str, raw: &RawCase) -> Result<(), String> {
    let layout = json::member(&raw.input, "layout")?;
    let case = vec![
        json::get_arch(&raw.input)?.into(),
        json::get(&raw.input, "nc")?,
    ];
    let answer: Vec<u64> = ["host_window", "engine", "queue", "ring_descs"]
        .iter()
        .map(|name| json::get(layout, name))
        .collect::<Result<_, _>>()?;
    recorded::<Of<Place>>(session, suite, raw, &case, &answer, false);
    Ok(())
}

fn behaviour(input: &Value) -> Result<Behaviour, String> {
    let Some(model) = input.get("model") else {
        return Ok(Behaviour::default());
    };
    Ok(Behaviour {
        delay_calls: json::get(model, "delay_calls")?,
        lost_batches: json::get(model, "lost_batches")?,
        in_reset_window: json::get(model, "in_reset_window")?,
        out_of_window: 0,
    })
}

/// What the rules give for a run; an error of the case where they cannot.
fn law(run: &Run) -> Result<Required, String> {
    run.check()?;
    required(run).ok_or_else(|| "the copies do not stay within the memory of the case".into())
}

/// `memcpy_trace`.
pub fn memcpy(
    session: &mut Session,
    suite: &str,
    raw: &RawCase,
    counts: &mut Counts,
) -> Result<(), String> {
    let (input, out) = (&raw.input, &raw.output);
    place(session, suite, raw)?;
    let transfer = Transfer {
        src: json::get(input, "src")?,
        dst: json::get(input, "dst")?,
        size: json::get(input, "size")?,
        src_moves: true,
        dst_moves: true,
    };
    let (bytes, seed) = (json::get(out, "dst_bytes")?, json::get(input, "fill_seed")?);
    let warmup = json::member(input, "warmup")?;
    let run = Run {
        setup: setup(input)?,
        warmup: Warmup {
            count: json::get32(warmup, "count")?,
            size: json::get(warmup, "size")?,
        },
        engine: behaviour(input)?,
        memory: vec![
            Region {
                start: transfer.src,
                length: bytes,
                seed: Some(seed),
            },
            Region {
                start: transfer.dst,
                length: bytes + GUARD,
                seed: None,
            },
        ],
        user: User::default(),
        steps: vec![Step::Copy(transfer)],
    };
    let law = law(&run)?;
    let holds = |pattern| holds(&law.memory, transfer.dst, bytes, pattern);
    agrees(out, "copied", holds(Pattern::stream(seed)))?;
    destination(session, &law.memory, transfer.dst, out)?;
    let answer = seen(&run, &law.trace, out)?;
    recorded::<Program>(session, suite, raw, &run, &answer, false);
    counts.replayed += 1;
    Ok(())
}

/// `memset_trace`.
pub fn memset(
    session: &mut Session,
    suite: &str,
    raw: &RawCase,
    counts: &mut Counts,
) -> Result<(), String> {
    let (input, out) = (&raw.input, &raw.output);
    place(session, suite, raw)?;
    let window = json::get(json::member(input, "layout")?, "host_window")?;
    let (dst, offset) = (json::get(input, "dst")?, json::get(input, "offset")?);
    let fill = Fill {
        buffer: json::get(input, "memset_buf")? & !window,
        dst: dst + offset,
        size: json::get(input, "size")?,
        value: json::get32(input, "value")?,
    };
    let bytes = json::get(out, "dst_bytes")?;
    let front = GUARD.min(offset);
    let region = |start, length| Region {
        start,
        length,
        seed: None,
    };
    let mut memory = vec![region(fill.dst - front, front + bytes + GUARD)];
    let mut steps = vec![Step::Memset(fill)];
    if let Some(before) = input.get("before") {
        let earlier = Fill {
            dst: fill.dst + 0x8000_0000,
            size: json::get(before, "size")?,
            value: json::get32(before, "value")?,
            ..fill
        };
        memory.push(region(earlier.dst, earlier.size.max(65536)));
        steps.insert(0, Step::Memset(earlier));
    }
    let run = Run {
        setup: setup(input)?,
        warmup: Warmup::default(),
        engine: behaviour(input)?,
        memory,
        user: User::default(),
        steps,
    };
    let law = law(&run)?;
    let value = Pattern::Repeat(fill.value as u8);
    agrees(out, "all_value", holds(&law.memory, fill.dst, bytes, value))?;
    let untouched = holds(&law.memory, fill.dst - front, front, Pattern::Repeat(0));
    agrees(out, "front_ok", untouched)?;
    destination(session, &law.memory, fill.dst, out)?;
    let answer = seen(&run, &law.trace, out)?;
    recorded::<Program>(session, suite, raw, &run, &answer, false);
    counts.replayed += 1;
    Ok(())
}

fn holds(memory: &Memory, start: u64, length: u64, pattern: Pattern) -> bool {
    memory.first_difference(start, length, pattern) == Ok(None)
}

/// What the rules make of memory is what the recording says.
fn agrees(out: &Value, name: &str, holds: bool) -> Result<(), String> {
    let recorded = json::get_flag(out, name)?;
    if recorded == holds {
        Ok(())
    } else {
        Err(format!(
            "field {name:?} is {recorded}, the rules give {holds}"
        ))
    }
}

/// The destination and its guard, as the rules leave them, are as recorded.
fn destination(session: &Session, memory: &Memory, dst: u64, out: &Value) -> Result<(), String> {
    let bytes = json::get(out, "dst_bytes")?;
    agrees(
        out,
        "guard_ok",
        holds(memory, dst + bytes, GUARD, Pattern::Repeat(0)),
    )?;
    if bytes > MOST_HASHED && !session.options.deep {
        return Ok(());
    }
    let mut hash = Sha256::new();
    let mut block = vec![0; 1 << 16];
    let mut done = 0;
    while done < bytes {
        let part = &mut block[..(bytes - done).min(1 << 16) as usize];
        memory
            .read(dst + done, part)
            .map_err(|outside| outside.to_string())?;
        hash.update(&part);
        done += part.len() as u64;
    }
    let (found, recorded) = (hex_of(&hash.finalize()), json::get_text(out, "dst_sha256")?);
    if found == recorded {
        Ok(())
    } else {
        Err(format!(
            "field \"dst_sha256\" is {recorded}, the rules give {found}"
        ))
    }
}

/// The recorded trace of a run whose last step was recorded; what is not recorded is as the rules
/// give it.
fn seen(run: &Run, law: &Trace, out: &Value) -> Result<Trace, String> {
    let batches = json::get_list(out, "batches")?;
    let mut trace = law.clone();
    let before = law
        .ends
        .len()
        .checked_sub(2)
        .map_or(0, |step| law.ends[step]);
    trace.acts.truncate(before);
    for batch in batches {
        let after = batch.get("cursors");
        for event in json::get_list(batch, "events")? {
            trace.acts.push(act(run, event, after)?);
        }
    }
    if let Some(end) = trace.ends.last_mut() {
        *end = trace.acts.len();
    }
    let is_doorbell = |act: &&Act| matches!(act, Act::Write(offset, _) if offset & 0xfff == 0x38);
    let earlier = law.acts[..before].iter().filter(is_doorbell).count();
    trace.bells.truncate(earlier);
    trace.bells.extend(bells(batches)?);
    if let Some(values) = trace.results.last_mut() {
        *values = vec![code(out)?.into()];
    }
    let last = json::member(out, "final")?;
    trace.cursors = [cursors(last, "tx")?, cursors(last, "rx")?];
    Ok(trace)
}

fn ring(value: &Value) -> Result<Ring, String> {
    match value.as_str() {
        Some("tx") => Ok(Ring::Tx),
        Some("rx") => Ok(Ring::Rx),
        _ => Err(format!("field \"events\" holds ring {value}: tx or rx")),
    }
}

/// One recorded access. `after` are the cursors after the batch's acknowledge.
fn act(run: &Run, event: &Value, after: Option<&Value>) -> Result<Act, String> {
    let parts = event.as_array().map_or(&[][..], Vec::as_slice);
    let number = |value: &Value| json::number(value, "events");
    let word = |value: &Value| {
        let wide = number(value)?;
        u32::try_from(wide).map_err(|_| format!("field \"events\" holds {wide:#x}: 32 bits"))
    };
    let poll_word = run.setup.completion + 4;
    Ok(match (parts.first().and_then(Value::as_str), parts) {
        (Some("store"), [_, address, value]) => Act::Store(number(address)?, word(value)?),
        (Some("mb"), [_]) => Act::Barrier,
        (Some("w"), [_, _, _, offset, value]) => Act::Write(number(offset)?, word(value)?),
        (Some("delay"), [_, us]) => Act::Delay(number(us)?),
        (Some("poll"), [_, count]) => Act::Poll(poll_word, number(count)?),
        (Some("poll_delay_1us"), [_, count]) => Act::PollDelay(poll_word, number(count)?),
        (Some("ack"), [_, side, consumer]) => {
            let side = ring(side)?;
            let after = after.ok_or("field \"cursors\" is missing from a batch with an ack")?;
            let [producer, _, phase] = cursors(after, side.name())?;
            Act::Ack(side, [producer, word(consumer)?, phase])
        }
        _ => {
            return Err(format!(
                "field \"events\" holds {event}, which is not known"
            ));
        }
    })
}

/// Doorbells of recorded batches, RX first (TRIG-2).
fn bells(batches: &[Value]) -> Result<Vec<Bell>, String> {
    let mut bells = Vec::new();
    for batch in batches {
        let data = json::get32(batch, "data_descs")?;
        for ring in [Ring::Rx, Ring::Tx] {
            let side = json::member(batch, ring.name())?;
            let (start, count) = (json::get32(side, "start")?, json::get32(side, "count")?);
            if count != data + 1 {
                return Err(format!("field \"count\" is {count}, \"data_descs\" {data}"));
            }
            let mut shown = Vec::new();
            for name in ["all", "first", "last"] {
                for entry in side
                    .get(name)
                    .and_then(Value::as_array)
                    .into_iter()
                    .flatten()
                {
                    let slot = json::number(&entry[0], name)? as u32;
                    let desc = entry[1].as_str().and_then(from_hex);
                    let desc = desc.ok_or_else(|| format!("field {name:?} holds {entry}"))?;
                    // All recorded rings have a power of two slots.
                    shown.push((slot.wrapping_sub(start) & 8191, desc));
                }
            }
            bells.push(Bell {
                ring,
                start,
                descs: Descs::Shown {
                    count,
                    shown,
                    sha256: json::get_text(side, "sha256")?.into(),
                },
            });
        }
    }
    Ok(bells)
}

/// `zerocopy_trace`.
pub fn zerocopy(
    session: &mut Session,
    suite: &str,
    raw: &RawCase,
    counts: &mut Counts,
) -> Result<(), String> {
    let (input, out) = (&raw.input, &raw.output);
    place(session, suite, raw)?;
    let window = json::get(json::member(input, "layout")?, "host_window")?;
    let mut frames = Vec::new();
    for run in json::get_list(input, "page_runs")? {
        let (start, pages) = (
            json::number(&run[0], "page_runs")?,
            json::number(&run[1], "page_runs")?,
        );
        if pages > 1 << 16 {
            return Err(format!(
                "field \"page_runs\" holds {pages} pages: at most 65536"
            ));
        }
        frames.extend((0..pages).map(|page| (start & !window) + page * PAGE));
    }
    let batches = json::get_list(out, "batches")?;
    let bells = bells(batches)?;
    // Where the allocator put the two completion buffers: handed to the subject.
    let completion = |batch: usize| {
        let bell = bells.get(batch * 2 + 1).or(bells.get(1))?;
        let Descs::Shown { count, shown, .. } = &bell.descs else {
            return None;
        };
        let marker: &(u32, Desc) = shown.iter().find(|(at, _)| at + 1 == *count)?;
        Some(pointer(&marker.1) & !window)
    };
    let completions = [completion(0), completion(1)].map(|at| at.ok_or("a batch shows no marker"));
    let user = 0x7f00_0000_0000;
    let copy = ZeroCopy {
        user: user + json::get(input, "page_offset")?,
        device: json::get(input, "device")?,
        size: json::get(input, "size")?,
        completion: [completions[0]?, completions[1]?],
        core: json::get32(input, "nc")?,
        to_device: json::get_flag(input, "to_device")?,
    };
    let seed = json::get(input, "fill_seed")?;
    let run = Run {
        setup: setup(input)?,
        warmup: Warmup::default(),
        engine: Behaviour::default(),
        memory: vec![Region {
            start: copy.device,
            length: copy.size + GUARD,
            seed: (!copy.to_device).then_some(seed),
        }],
        user: User {
            page: user,
            frames,
            seed: copy.to_device.then_some(seed),
            skip: -((copy.user % PAGE) as i64),
        },
        steps: vec![Step::ZeroCopy(copy)],
    };
    let law = law(&run)?;
    agrees(out, "copied", copied(&run, &copy, &law.memory, seed))?;
    let mut answer = law.trace;
    answer.bells = bells;
    answer.results = vec![vec![code(out)?.into()]];
    let recorded_delays: Vec<u64> = json::get_list(out, "delays")?
        .iter()
        .map(|entry| json::number(entry, "delays"))
        .collect::<Result<_, _>>()?;
    let mut delays = recorded_delays.into_iter();
    for act in &mut answer.acts {
        if let Act::Delay(us) = act {
            *us = delays
                .next()
                .ok_or("the rules give more delays than field \"delays\"")?;
        }
    }
    answer.acts.extend(delays.map(Act::Delay));
    answer.ends = vec![answer.acts.len()];
    recorded::<Program>(session, suite, raw, &run, &answer, false);
    counts.replayed += 1;
    Ok(())
}

/// Whether both sides of a zero-copy hold the stream.
fn copied(run: &Run, copy: &ZeroCopy, memory: &Memory, seed: u64) -> bool {
    let stream = Pattern::stream(seed);
    let mut done = 0;
    let mut offset = copy.user % PAGE;
    let pages = run.user.frames.iter().all(|frame| {
        let bytes = (PAGE - offset).min(copy.size - done);
        let start = run.arch().host(*frame) + offset;
        let same = bytes == 0 || holds(memory, start, bytes, stream.skip(done));
        done += bytes;
        offset = 0;
        same
    });
    pages && holds(memory, copy.device, copy.size, stream)
}

/// `wait_time`.
pub fn wait_time(
    session: &mut Session,
    suite: &str,
    raw: &RawCase,
    counts: &mut Counts,
) -> Result<(), String> {
    let platform = match json::get_text(&raw.input, "platform")? {
        "hw" => 0,
        "qemu" => 1,
        "emu" => 2,
        other => return Err(format!("field \"platform\" is {other:?}: hw, qemu or emu")),
    };
    let case = vec![
        json::get_arch(&raw.input)?.into(),
        0,
        platform,
        json::get32(&raw.input, "count")?.into(),
        json::get_flag(&raw.input, "async")?.into(),
    ];
    let answer = vec![
        json::get(&raw.output, "first_wait")?,
        json::get(&raw.output, "following_wait")?,
    ];
    recorded::<Of<Estimate>>(session, suite, raw, &case, &answer, false);
    counts.replayed += 1;
    Ok(())
}
