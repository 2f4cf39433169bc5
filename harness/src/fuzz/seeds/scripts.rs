//! Seeds of the targets that run scripts, queues and calls.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;
use udma_oracle::cases::vring::Vring;
use udma_oracle::family::Family;
use udma_oracle::golden::{self};
use udma_oracle::subject::vring;

use super::{Chosen, kept, rare, recorded};
use crate::failure::Failure;
use crate::fuzz::input::Put;
use crate::fuzz::{cycle_model, ioctl_args, opclass, ring_script, vring_large, vring_script};
use crate::fuzz::{iofic, pack, template};

/// Every set of operations on queues of every form.
pub(super) fn rings(corpora: &Path) -> Result<Vec<Vec<u8>>, Failure> {
    let mut chosen = Chosen::default();
    recorded(corpora, "ring_cursor", |case| {
        let script = golden::ring_script(&case)?;
        let Some(input) = ring_script::Input::of(&script) else {
            return Ok(());
        };
        let kinds = script.ops.iter().map(std::mem::discriminant);
        let mut kinds: Vec<String> = kinds.map(|kind| format!("{kind:?}")).collect();
        kinds.sort();
        kinds.dedup();
        let shows = format!("{kinds:?} {:?} {}", script.size, script.allocatable);
        let queue = ring_script::Any::Queue { queue: input };
        chosen.offer(shows, queue.bytes());
        Ok(())
    })?;
    let mut inputs = chosen.inputs();
    for addresses in [false, true] {
        let shadow = ring_script::Shadow {
            size: [7, 7],
            reserves: vec![3, 4, 8, 9, 1],
            first: 5,
            phase: 3,
            descs: 6,
            addresses,
            ring_id: 0,
        };
        inputs.push(ring_script::Any::Shadow { shadow }.bytes());
    }
    Ok(inputs)
}

/// Every kind of run on every architecture.
pub(super) fn cycles() -> Vec<Vec<u8>> {
    use cycle_model::{Input, Kind};
    let kinds = |to_device| {
        [
            Kind::Copies {
                sizes: vec![100, 64, 300],
                skew: 1,
            },
            Kind::Async {
                sizes: vec![100, 64, 300],
                skew: 0,
            },
            Kind::Fill {
                size: 3000,
                value: 0x5a,
            },
            Kind::ZeroCopy {
                offset: 100,
                size: 9000,
                layout: 2,
                to_device,
            },
            Kind::Contexts {
                capacity: 2,
                size: 9000,
                rounds: 9,
                to_device,
            },
        ]
    };
    let mut inputs = Vec::new();
    for arch in 0..3 {
        for kind in kinds(arch == 1) {
            inputs.push(Input {
                seed: 1,
                arch,
                driver: 0,
                ring: arch,
                batch: 4,
                start: 0x65,
                kind,
            });
        }
    }
    let mut seeds: Vec<Vec<u8>> = inputs.iter().map(Put::bytes).collect();
    // On the driver's own geometry, from its start and from anywhere in its ring.
    for every in [cycle_model::REAL, cycle_model::REAL * cycle_model::FAR] {
        let real = inputs.iter().skip(inputs.len() / 3).take(inputs.len() / 3);
        seeds.extend(real.map(|input| rare(input.bytes(), every)));
    }
    seeds
}

/// Worked and kept scripts: every last operation with those before it. Long ones, which end in the
/// middle of a page, go beyond it, and are refused one.
pub(super) fn vrings(corpora: &Path) -> Result<Vec<Vec<u8>>, Failure> {
    let file = corpora.join("worked/vring.json");
    let text = std::fs::read_to_string(&file).map_err(Failure::file(&file))?;
    let worked: Value = serde_json::from_str(&text)
        .map_err(|error| Failure::Input(format!("{}: {error}", file.display())))?;
    let cases = worked["cases"].as_array().map_or(&[][..], Vec::as_slice);
    let scripts = cases
        .iter()
        .filter_map(|case| Vring::from_json(&case["in"]).ok());
    let mut chosen = Chosen::default();
    for script in scripts.chain(kept::<Vring>(corpora)?) {
        let kinds: BTreeSet<usize> = script.ops.iter().map(vring::Op::kind).collect();
        if let Some(input) = vring_script::Input::of(&script) {
            chosen.offer(format!("{kinds:?}"), input.bytes());
        }
    }
    let mut inputs = chosen.inputs();
    for pages in [None, Some(1), Some(2), Some(3)] {
        let transfer = |chunks| vring_script::Step::Transfer {
            ex: true,
            src: vring_script::Address::Plain { at: 0x1000 },
            dst: vring_script::Address::Plain { at: 0x2000 },
            size: vring_script::Size::Chunks { chunks, rest: 1 },
            ordered: false,
        };
        let input = vring_script::Input {
            arch: 1,
            ops: vec![
                vring_script::Step::PageBudget { pages },
                transfer(100),
                transfer(200),
                vring_script::Step::DeepCopy {},
            ],
        };
        inputs.push(rare(input.bytes(), vring_large::LONG));
    }
    Ok(inputs)
}

pub(super) fn packs() -> Vec<Vec<u8>> {
    use pack::{Input, Pack, Part};
    let pack = |start, count, most| Pack {
        start,
        count,
        most,
        twice: true,
        barrier: true,
    };
    let transfer = |place, size| Part::Transfer {
        place,
        size,
        ordered: place & 1 != 0,
    };
    let pair = |place, tx, rx, word1| Part::Pair {
        place,
        tx,
        rx,
        length: 4096,
        word1,
    };
    let input = |parts, packs| {
        Input {
            arch: 1,
            parts,
            packs,
        }
        .bytes()
    };
    vec![
        input(
            vec![transfer(0, 200_000), transfer(3, 70_000)],
            vec![pack(0, None, 255)],
        ),
        input(
            vec![
                pair(0, 0x0d, 0x01, None),
                pair(1, 0x4d, 0x01, None),
                transfer(2, 64),
            ],
            vec![pack(0, Some(2), 8), pack(1, None, 255)],
        ),
        input(
            vec![
                pair(0, 0x05, 0x01, None),
                pair(1, 0x89, 0x11, Some(0x0508_0003)),
                Part::Poke {
                    event: true,
                    place: 9,
                },
                Part::Single {
                    rx: true,
                    flags: 1,
                    length: 4,
                },
            ],
            vec![pack(0, None, 64)],
        ),
    ]
}

pub(super) fn templates() -> Vec<Vec<u8>> {
    use template::{Copy, Input, Use};
    let copy = |src, dst| Copy {
        src,
        dst,
        at: 0x1000,
        beside: 0,
        size: 70_000,
    };
    let input = |copies, uses| {
        Input {
            arch: 1,
            max_var_id: 4,
            copies,
            lists: [vec![0x10_0000; 5], vec![0x20_0000; 5], vec![0x30_0000; 2]],
            uses,
        }
        .bytes()
    };
    let symbols = || vec![copy(Some(1), None), copy(Some(3), Some(4))];
    vec![
        input(symbols(), vec![Use::Resolve { list: 0 }]),
        input(symbols(), vec![Use::Resolve { list: 2 }]),
        input(vec![copy(Some(9), None)], vec![Use::Resolve { list: 0 }]),
        input(
            symbols(),
            vec![
                Use::Cache { capacity: 2 },
                Use::Acquire { list: 0 },
                Use::Acquire { list: 1 },
                Use::Acquire { list: 0 },
                Use::Release { holding: 0 },
                Use::Release { holding: 1 },
                Use::Acquire { list: 1 },
            ],
        ),
        input(
            symbols(),
            vec![
                Use::DeepCopy {},
                Use::PageBudget { pages: Some(1) },
                Use::DeepCopy {},
            ],
        ),
    ]
}

/// Every operation with nothing, something and all of everything.
pub(super) fn operations() -> Vec<Vec<u8>> {
    let operands = [
        [0; 11],
        std::array::from_fn(|at| at as u64 + 1),
        [u64::MAX; 11],
    ];
    let of = |operation| {
        operands.map(|operands| {
            let wide = 0;
            opclass::Input {
                operation,
                operands,
                wide,
            }
            .bytes()
        })
    };
    (0..opclass::OPERATIONS).flat_map(of).collect()
}

/// Every call, and the iterator.
pub(super) fn interrupts() -> Vec<Vec<u8>> {
    let of = |call| {
        iofic::Input {
            call,
            revision: 4,
            secondary: call & 1 != 0,
            group: 1,
            window: 0x3_ad40,
            bits: 0x11,
            held: false,
            values: [0xf0f0_8421, 0xffff, 0x28, 0xffff_fff0, 1, 2],
        }
        .bytes()
    };
    (0..=udma_reference::abi::UDMA_IOFIC_CALLS as u8)
        .map(of)
        .collect()
}

/// Every request after an allocation, with its handle and a pointer to answer to.
pub(super) fn calls() -> Vec<Vec<u8>> {
    use ioctl_args::{Input, Ioctl, Request, Word};
    let requests = udma::abi::request::REQUESTS;
    let position = |name: &str| requests.iter().position(|request| request.name == name);
    let allocate = position("MEM_ALLOC").unwrap_or_default() as u8;
    let call = |index, words| Ioctl {
        request: Request::Known { index },
        at: 0,
        words,
        other: false,
    };
    let of = |index: usize| {
        let memory = vec![
            Word::Long { value: 4096 },
            Word::Long { value: 0 },
            Word::Pointer { offset: 4096 },
        ];
        let words = vec![
            Word::Handle { number: 0 },
            Word::Pointer { offset: 2048 },
            Word::Short { value: 64 },
            Word::Short { value: 64 },
            Word::Long { value: 0 },
        ];
        Input {
            arch: 1,
            version: 0,
            seed: 1,
            calls: vec![call(allocate, memory), call(index as u8, words)],
        }
        .bytes()
    };
    (0..requests.len()).map(of).collect()
}
