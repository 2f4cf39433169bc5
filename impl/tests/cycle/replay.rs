//! Replay of copies, fills, waits and starts, event for event.

use serde_json::Value;
use sha2::{Digest, Sha256};
use udma::Desc;
use udma::cycle::Platform;
use udma::cycle::host::{Place, host_queue, host_ring_size};
use udma::io::Side;

use super::arena::hex;
use super::machine::{Event, Machine, Model, Rung, window_agrees};
use super::subject::{Setup, Subject};
use super::vectors::{arch, code, cursors, desc, event, list, number, word};
use super::{Outcome, holds, same};

const SIDES: [(Side, &str); 2] = [(Side::Tx, "tx"), (Side::Rx, "rx")];
/// Host memory that warm-ups copy between.
const WARM_UP: [u64; 2] = [0x1_7000_0000, 0x1_7800_0000];
/// Bytes behind a destination that must stay untouched.
const GUARD: u64 = 64;

/// The queue of a recorded layout; checks what the layout says of HOST-1 and HOST-2.
pub fn setup(input: &Value) -> Result<Setup, String> {
    let layout = &input["layout"];
    let arch = arch(&input["arch"]);
    let core = word(&input["nc"]);
    let place = Place {
        engine: word(&layout["engine"]),
        queue: word(&layout["queue"]),
    };
    let window = number(&layout["host_window"]);
    let size = word(&layout["ring_descs"]);
    same("HOST-2 place", host_queue(arch, core), Some(place))?;
    same("HOST-2 ring size", host_ring_size(), size)?;
    holds("HOST-1 window", window_agrees(arch, window))?;
    Ok(Setup {
        engine: place.engine,
        qid: place.queue,
        core,
        base: [number(&layout["tx_ring"]), number(&layout["rx_ring"])],
        completion: layout.get("marker").map_or(0, |at| number(at) & !window),
        ..Setup::of(arch, size)
    })
}

fn model(input: &Value) -> Model {
    input.get("model").map_or(Model::default(), |model| Model {
        delay_calls: number(&model["delay_calls"]),
        lost_batches: number(&model["lost_batches"]),
        in_reset_window: number(&model["in_reset_window"]),
    })
}

/// One case of memcpy_trace.
pub fn memcpy<S: Subject>(case: &Value) -> Outcome {
    let (input, out) = (&case["in"], &case["out"]);
    let setup = setup(input)?;
    let mut machine = Machine::new(setup.arch, setup.size[0]);
    let mut subject = S::open(&mut machine, &setup);

    let (src, dst) = (number(&input["src"]), number(&input["dst"]));
    let dst_bytes = number(&out["dst_bytes"]);
    let seed = number(&input["fill_seed"]);
    machine.arena.pattern(src, dst_bytes, seed, 0);
    let [from, to] = WARM_UP.map(|cpu| machine.host(cpu));
    let warmup = &input["warmup"];
    for _ in 0..number(&warmup["count"]) {
        same(
            "warm-up",
            subject.copy(&mut machine, from, to, number(&warmup["size"])),
            0,
        )?;
    }
    machine.forget();
    machine.model = model(input);

    let ret = subject.copy(&mut machine, src, dst, number(&input["size"]));
    run_matches(&subject, &machine, ret, out)?;
    let copied = machine.arena.is_same(src, dst, dst_bytes);
    same("copied", copied, out["copied"] == true)?;
    destination_matches(&machine, dst, out)
}

/// One case of memset_trace.
pub fn memset<S: Subject>(case: &Value) -> Outcome {
    let (input, out) = (&case["in"], &case["out"]);
    let setup = setup(input)?;
    let mut machine = Machine::new(setup.arch, setup.size[0]);
    let mut subject = S::open(&mut machine, &setup);

    let window = number(&input["layout"]["host_window"]);
    let buffer = number(&input["memset_buf"]) & !window;
    let dst = number(&input["dst"]) + number(&input["offset"]);
    if let Some(before) = input.get("before") {
        let elsewhere = dst + 0x8000_0000;
        let value = word(&before["value"]);
        let size = number(&before["size"]);
        let ret = subject.memset(&mut machine, buffer, elsewhere, value, size);
        same("fill before", ret, 0)?;
        machine.forget();
    }
    machine.model = model(input);

    let value = word(&input["value"]);
    let ret = subject.memset(&mut machine, buffer, dst, value, number(&input["size"]));
    run_matches(&subject, &machine, ret, out)?;
    let dst_bytes = number(&out["dst_bytes"]);
    let all_value = machine.arena.is_filled(dst, dst_bytes, value as u8);
    same("all_value", all_value, out["all_value"] == true)?;
    let front = GUARD.min(number(&input["offset"]));
    let front_ok = machine.arena.is_untouched(dst - front, front);
    same("front_ok", front_ok, out["front_ok"] == true)?;
    destination_matches(&machine, dst, out)
}

/// Return code, events, batches, cursors.
fn run_matches<S: Subject>(subject: &S, machine: &Machine, ret: i32, out: &Value) -> Outcome {
    let batches = list(&out["batches"]);
    let expected: Vec<Event> = batches
        .iter()
        .flat_map(|batch| list(&batch["events"]))
        .map(event)
        .collect();
    for (number, pair) in machine.events.iter().zip(&expected).enumerate() {
        same(&format!("event {number}"), pair.0, pair.1)?;
    }
    same("number of events", machine.events.len(), expected.len())?;
    same("ret", ret, code(&out["ret"]))?;
    batches_match(machine, batches)?;
    for (side, name) in SIDES {
        let last = cursors(&out["final"][name]);
        same(&format!("final {name}"), subject.cursors(side), last)?;
    }
    Ok(())
}

/// Descriptors of every batch, and its cursors after the acknowledge where they are recorded.
pub fn batches_match(machine: &Machine, batches: &[Value]) -> Outcome {
    same("batches", machine.rung.len(), batches.len())?;
    for (number, (rung, batch)) in machine.rung.iter().zip(batches).enumerate() {
        batch_matches(rung, batch).map_err(|error| format!("batch {number}: {error}"))?;
    }
    same("faults", &machine.faults[..], &[])
}

fn batch_matches(rung: &Rung, batch: &Value) -> Outcome {
    for (side, name) in SIDES {
        let (recorded, descs) = (&batch[name], &rung.descs[side as usize]);
        let start = rung.start[side as usize];
        same(&format!("{name} start"), start, word(&recorded["start"]))?;
        same(
            &format!("{name} count"),
            descs.len() as u64,
            number(&recorded["count"]),
        )?;
        same(
            "data pairs",
            descs.len() as u64 - 1,
            number(&batch["data_descs"]),
        )?;
        let size = 1 << 13;
        for key in ["all", "first", "last"] {
            for pair in recorded.get(key).map_or(&[][..], list) {
                let slot = word(&pair[0]);
                let at = (slot + size - start) % size;
                let what = format!("{name} descriptor {slot}");
                same(&what, descs.get(at as usize), Some(&desc(&pair[1])))?;
            }
        }
        let hash = recorded["sha256"].as_str().expect("hash");
        same(&format!("{name} sha256"), &sha256(descs)[..], hash)?;
        if batch.get("events").is_some() {
            let after = batch.get("cursors").map(|after| cursors(&after[name]));
            same(&format!("{name} cursors"), rung.acked[side as usize], after)?;
        }
    }
    Ok(())
}

fn sha256(descs: &[Desc]) -> String {
    let mut hash = Sha256::new();
    for desc in descs {
        hash.update(desc.to_bytes());
    }
    hex(&hash.finalize())
}

fn destination_matches(machine: &Machine, dst: u64, out: &Value) -> Outcome {
    let len = number(&out["dst_bytes"]);
    let guard_ok = machine.arena.is_untouched(dst + len, GUARD);
    same("guard_ok", guard_ok, out["guard_ok"] == true)?;
    if std::env::var_os("UDMA_UNHASHED").is_some() {
        return Ok(()); // .ci/mutants: the comparisons with the source stand
    }
    let hash = out["dst_sha256"].as_str().expect("hash");
    same("dst_sha256", &machine.arena.sha256(dst, len)[..], hash)
}

/// One case of wait_time.
pub fn wait_time<S: Subject>(case: &Value) -> Outcome {
    let (input, out) = (&case["in"], &case["out"]);
    let setup = Setup {
        platform: match input["platform"].as_str() {
            Some("hw") => Platform::Hardware,
            Some("qemu") => Platform::Qemu,
            Some("emu") => Platform::Emulator,
            other => return Err(format!("platform {other:?}")),
        },
        ..Setup::of(arch(&input["arch"]), 32)
    };
    let wait = S::estimate(&setup, word(&input["count"]), input["async"] == true);
    same("first wait", wait.first, number(&out["first_wait"]))?;
    same(
        "following wait",
        wait.following,
        number(&out["following_wait"]),
    )
}

/// One case of copy_start.
pub fn copy_start<S: Subject>(case: &Value) -> Outcome {
    let (input, out) = (&case["in"], &case["out"]);
    let qid = word(&input["qid"]);
    let setup = Setup {
        num_queues: word(&input["num_queues"]),
        qid,
        size: [word(&input["tx_size"]), word(&input["rx_size"])],
        ..Setup::of(udma::Arch::Sunda, 0)
    };
    let mut machine = Machine::new(setup.arch, setup.size[0].max(setup.size[1]));
    let mut subject = S::open(&mut machine, &setup);
    let counts = (word(&input["tx_count"]), word(&input["rx_count"]));
    let ret = subject.copy_start(&mut machine, qid, counts.0, counts.1);
    let expected: Vec<Event> = list(&out["events"]).iter().map(event).collect();
    same("events", &machine.events[..], &expected[..])?;
    same("ret", ret, code(&out["ret"]))?;
    // Left out where the queue id is out of range.
    if let Some(recorded) = out.get("cursors") {
        for (side, name) in SIDES {
            same(name, subject.cursors(side), cursors(&recorded[name]))?;
        }
    }
    Ok(())
}
