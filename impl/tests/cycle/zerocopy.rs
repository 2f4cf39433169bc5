//! Copies of user pages: replay, and what no recording holds.

use serde_json::Value;
use udma::Arch;
use udma::cycle::zerocopy::Request;
use udma::io::Side;

use super::checks::{COMPLETION, DST, open};
use super::machine::Machine;
use super::replay::{batches_match, setup};
use super::subject::{Setup, Subject};
use super::vectors::{code, desc, list, number, word};
use super::{Outcome, same};

/// User address of the buffer's first page: any will do.
pub const USER: u64 = 0x7f00_0000_0000;
const PAGE: u64 = 4096;

/// One case of zerocopy_trace.
pub fn zero_copy<S: Subject>(case: &Value) -> Outcome {
    let (input, out) = (&case["in"], &case["out"]);
    let setup = setup(input)?;
    let mut machine = Machine::new(setup.arch, setup.size[0]);
    let mut subject = S::open(&mut machine, &setup);

    let window = number(&input["layout"]["host_window"]);
    let frames: Vec<u64> = list(&input["page_runs"])
        .iter()
        .flat_map(|run| (0..number(&run[1])).map(|page| number(&run[0]) + page * PAGE))
        .collect();
    machine.user = (USER, frames.iter().map(|frame| frame & !window).collect());
    let request = Request {
        user: USER + number(&input["page_offset"]),
        device: number(&input["device"]),
        size: number(&input["size"]),
        to_device: input["to_device"] == true,
        core: word(&input["nc"]),
    };
    let extents = extents(&frames, &request);
    let seed = number(&input["fill_seed"]);
    for &(buffer, device, len) in &extents {
        let from = if request.to_device { buffer } else { device };
        machine
            .arena
            .pattern(from, len, seed, device - request.device);
    }

    let batches = list(&out["batches"]);
    // The recorded buffers are where the allocator put them: handed to the subject.
    let completion = |batch: usize| {
        let recorded = batches.get(batch).unwrap_or(&batches[0]);
        let key = if recorded["tx"].get("all").is_some() {
            "all"
        } else {
            "last"
        };
        let marker = list(&recorded["tx"][key]).last().expect("marker");
        desc(&marker[1]).pointer() & !window
    };
    let completions = [completion(0), completion(1)];
    let ret = subject.zero_copy(&mut machine, &request, completions);

    same("ret", ret, code(&out["ret"]))?;
    batches_match(&machine, batches)?;
    let delays: Vec<u64> = list(&out["delays"]).iter().map(number).collect();
    same("delays", &machine.delays[..], &delays[..])?;
    // ZC-6: step n + 1 was rung before step n was waited for.
    for (step, rung) in machine.rung.iter().enumerate() {
        let waited = step.saturating_sub(1);
        same(&format!("delays before step {step}"), rung.delays, waited)?;
    }
    let copied = extents
        .iter()
        .all(|&(buffer, device, len)| machine.arena.is_same(buffer, device, len));
    same("copied", copied, out["copied"] == true)?;
    same("pages pinned at the end", machine.pinned, 0)
}

/// The buffer page by page: DMA address, device address, bytes.
fn extents(frames: &[u64], request: &Request) -> Vec<(u64, u64, u64)> {
    let mut done = 0;
    let mut offset = request.user % PAGE;
    let mut extents = Vec::new();
    for frame in frames {
        let len = (PAGE - offset).min(request.size - done);
        extents.push((frame + offset, request.device + done, len));
        done += len;
        offset = 0;
    }
    extents
}

/// A write of `size` bytes at page offset `offset`.
fn write(offset: u64, size: u64) -> Request {
    Request {
        user: USER + offset,
        device: DST,
        size,
        to_device: true,
        core: 0,
    }
}

// ZC-7
pub fn other_core<S: Subject>() -> Outcome {
    let (mut machine, mut subject) = open::<S>(&Setup::of(Arch::Cayman, 8192));
    machine.user = (USER, vec![0x1_6000_0000]);
    let request = Request {
        core: 1,
        ..write(0, 64)
    };
    let ret = subject.zero_copy(&mut machine, &request, [COMPLETION, COMPLETION + 8]);
    same("ret", ret, -2)?;
    same("events", &machine.events[..], &[])?;
    same("slots taken", subject.cursors(Side::Tx).next_desc, 0)
}

// ZC-3: gaps upwards and downwards, adjacent pages that cross 64 KiB boundaries, a short last page.
pub fn scattered_pages<S: Subject>() -> Outcome {
    let (mut machine, mut subject) = open::<S>(&Setup::of(Arch::Mariana, 8192));
    let at = 0x1_6000_0000;
    let mut pages: Vec<u64> = (3..21).collect(); // 18 pages in a row, not from a boundary on
    pages.extend([22, 24, 25, 40, 39, 38]);
    let frames: Vec<u64> = pages.iter().map(|page| at + page * 4096).collect();
    machine.user = (USER, frames.clone());
    let request = write(10, 24 * 4096 - 110);
    let ret = subject.zero_copy(&mut machine, &request, [COMPLETION, COMPLETION + 8]);
    same("ret", ret, 0)?;
    let cuts: Vec<(u64, u32)> = machine.rung[0].descs[0]
        .iter()
        .map(|desc| (desc.pointer() & 0xfff_ffff, desc.length()))
        .collect();
    let page = |page: u64| page * 4096;
    let expected = [
        (page(3) + 10, 65536),
        (page(19) + 10, 8192 - 10),
        (page(22), 4096),
        (page(24), 8192),
        (page(40), 4096),
        (page(39), 4096),
        (page(38), 3996),
    ];
    same("data pairs", &cuts[..cuts.len() - 1], &expected[..])
}

// ZC-6: a step that times out ends the copy; pages of what is out stay pinned.
pub fn lost_step<S: Subject>() -> Outcome {
    let (mut machine, mut subject) = open::<S>(&Setup::of(Arch::Sunda, 8192));
    machine.user = (
        USER,
        (0..300).map(|page| 0x1_6000_0000 + page * 4096).collect(),
    );
    machine.model.lost_batches = 1;
    // A reset window changes nothing: zero-copy is not retried.
    machine.model.in_reset_window = 1;
    let request = write(0, 3 * 262_144);
    let ret = subject.zero_copy(&mut machine, &request, [COMPLETION, COMPLETION + 8]);
    same("ret", ret, -1)?;
    same("steps rung", machine.rung.len(), 2)?;
    same("pages pinned", machine.pinned, 128)?;

    // A step that cannot be pinned: the step before is waited for, nothing stays pinned.
    let (mut machine, mut subject) = open::<S>(&Setup::of(Arch::Cayman, 8192));
    machine.user = (USER, vec![0x1_6000_0000; 100]);
    let ret = subject.zero_copy(&mut machine, &request, [COMPLETION, COMPLETION + 8]);
    same("ret", ret, -14)?;
    same("delays", &machine.delays[..], &[1])?;
    same("pages pinned", machine.pinned, 0)
}
