//! Runs of ring cycles.

use super::mix;
use crate::cycle::{Behaviour, PAGE, Region, Run, Step, User, Warmup};
use crate::subject::cycle::{Contexts, Fill, Setup, Transfer, ZeroCopy};

/// Architectures by number.
pub const ARCHES: [u8; 3] = [2, 3, 4];
/// Device memory that copies come from, and go to.
const SRC: u64 = 0x40_0000_0000;
const DST: u64 = 0x50_0000_0000;
/// Bytes between the destinations of two steps.
const APART: u64 = 0x1000_0000;
/// Bytes behind a destination that stay as they are.
const GUARD: u64 = 64;
/// CPU addresses: completion buffers, rings, fill buffer, user pages, completion buffers of steps.
const COMPLETION: u64 = 0x1_0000_0000;
const RINGS: [u64; 2] = [0x1_0010_0000, 0x1_0080_0000];
const BUFFER: u64 = 0x1_0200_0000;
const FRAMES: u64 = 0x1_6000_0000;
const STEPS: u64 = 0x1_0300_0000;
/// User address of the first page.
pub const USER: u64 = 0x7f00_0000_0000;
/// Zero-copy steps of this many bytes.
pub const STEP: u64 = 262_144;

fn window(arch: u8) -> u64 {
    if arch == 2 { 1 << 44 } else { 1 << 46 }
}

/// A queue of the recorded driver with rings of `size`, chunks of `chunk` bytes and the largest
/// batches of which `in_flight` fit beside the guard gap.
pub fn queue(arch: u8, size: u32, chunk: u32, in_flight: u32) -> Setup {
    Setup {
        arch,
        driver: 0,
        platform: 0,
        num_queues: 16,
        engine: 5,
        qid: 3,
        core: 1,
        size: [size; 2],
        base: RINGS.map(|cpu| cpu | window(arch)),
        completion: COMPLETION,
        chunk,
        threshold: (size - 16) / in_flight - 2,
    }
}

/// Sizes around every boundary of a queue: bytes, chunks, batches.
pub fn sizes(setup: &Setup) -> Vec<u64> {
    let chunk = u64::from(setup.chunk);
    let full = chunk * (u64::from(setup.threshold) + 1);
    let mut sizes = vec![0, 1, 2, 3, 4, 5];
    for bound in [
        chunk,
        2 * chunk,
        full - chunk,
        full,
        full + chunk,
        2 * full,
        3 * full,
    ] {
        sizes.extend([bound.saturating_sub(1), bound, bound + 1]);
    }
    sizes.sort_unstable();
    sizes.dedup();
    sizes
}

/// A run of copies one after the other, each to a place of its own; `skew` moves the addresses off
/// their alignment.
pub fn copies(setup: Setup, sizes: &[u64], skew: u64) -> Run {
    let steps: Vec<Step> = (0u64..)
        .zip(sizes)
        .map(|(at, size)| Step::Copy(transfer(at, *size, skew)))
        .collect();
    of(setup, steps)
}

/// The copy that step `at` makes.
pub fn transfer(at: u64, size: u64, skew: u64) -> Transfer {
    Transfer {
        src: SRC + skew,
        dst: DST + APART * at + 3 * skew,
        size,
        src_moves: true,
        dst_moves: true,
    }
}

/// A run over the memory that its steps need.
pub fn of(setup: Setup, steps: Vec<Step>) -> Run {
    let (mut sources, mut memory) = (0, Vec::new());
    for step in &steps {
        let (dst, size) = match step {
            Step::Copy(transfer) | Step::Submit(transfer, _) => {
                // 0 bytes move 65536 (BTCH-6).
                let size = if transfer.size == 0 {
                    65536
                } else {
                    transfer.size
                };
                sources = sources.max(transfer.src - SRC + size);
                (transfer.dst, size)
            }
            Step::Memset(fill) => (fill.dst, fill.size.max(1 << 16)),
            Step::ZeroCopy(copy) | Step::Enqueue(copy, _) | Step::ContextsCopy(copy) => {
                (copy.device, copy.size)
            }
            _ => continue,
        };
        memory.push(Region {
            start: dst - GUARD,
            length: size + 2 * GUARD,
            seed: None,
        });
    }
    memory.sort_by_key(|region: &Region| region.start);
    memory.dedup_by_key(|region| region.start);
    if sources != 0 {
        memory.push(Region {
            start: SRC,
            length: sources,
            seed: Some(setup.qid.into()),
        });
    }
    Run {
        setup,
        warmup: Warmup::default(),
        engine: Behaviour::default(),
        memory,
        user: User::default(),
        steps,
    }
}

/// The same run begun so many slots after the reset; `slots` is even.
pub fn begun_at(run: Run, slots: u32) -> Run {
    Run {
        warmup: Warmup {
            count: slots / 2,
            size: 1,
        },
        ..run
    }
}

/// A fill.
pub fn fill(at: u64, size: u64, value: u32) -> Step {
    Step::Memset(Fill {
        buffer: BUFFER,
        dst: DST + APART * at,
        size,
        value,
    })
}

/// A copy of user pages from `offset` in the first page on.
pub fn zero_copy(at: u64, offset: u64, size: u64, to_device: bool) -> ZeroCopy {
    ZeroCopy {
        user: USER + offset,
        device: DST + APART * at,
        size,
        completion: [STEPS, STEPS + 8],
        core: 1,
        to_device,
    }
}

/// Pages in a layout by its number: one run, every page alone, and runs of seeded lengths forwards
/// and backwards with gaps of one page and of none.
pub fn frames(count: u64, layout: u64) -> Vec<u64> {
    let mut pages = Vec::with_capacity(count as usize);
    let mut next = 3;
    while (pages.len() as u64) < count {
        let random = mix(layout, pages.len() as u64);
        let length = match layout {
            0 => count,
            1 => 1,
            _ => 1 + random % 40,
        };
        let run = next..next + length;
        if random >> 20 & 3 == 0 && layout > 1 {
            pages.extend(run.rev());
        } else {
            pages.extend(run);
        }
        next += length + u64::from(layout == 1 || random >> 30 & 1 == 0);
    }
    pages.truncate(count as usize);
    pages.into_iter().map(|page| FRAMES + page * PAGE).collect()
}

/// A run over user pages: a write takes its bytes from them, a read leaves its bytes there.
pub fn pages(setup: Setup, steps: Vec<Step>, frames: Vec<u64>) -> Run {
    let is_read = |step: &Step| match step {
        Step::ZeroCopy(copy) | Step::Enqueue(copy, _) | Step::ContextsCopy(copy) => !copy.to_device,
        _ => false,
    };
    let reads = steps.iter().any(is_read);
    let mut run = of(setup, steps);
    if reads {
        for region in &mut run.memory {
            region.seed = Some(region.start);
        }
    }
    run.user = User {
        page: USER,
        frames,
        seed: (!reads).then_some(9),
        skip: 0,
    };
    run
}

/// A context queue.
pub fn contexts(capacity: u32, budget: u64, entries: u32) -> Step {
    Step::Contexts(Contexts {
        completion: STEPS + 0x1000,
        budget,
        capacity,
        entries,
    })
}

/// Small runs for a seeded engine: copies of several batches, two in flight, fills, zero-copy,
/// retries, on small rings over several laps; `number` picks.
pub fn seeded(arch: u8, number: u64) -> Run {
    let random = |index: u64| mix(number, index);
    let size = if random(1) & 1 == 0 { 32 } else { 64 };
    let skew = random(2) % 3;
    let start = (random(3) % u64::from(2 * size)) as u32 * 2;
    let some = |index: u64, most: u64| 1 + random(index) % most;
    let run = match number % 5 {
        0 | 1 => {
            let mut setup = queue(arch, size, 64, 1);
            if random(4) & 1 == 0 {
                setup.threshold = (random(5) % 6) as u32;
            }
            let full = 64 * (u64::from(setup.threshold) + 1);
            copies(
                setup,
                &[some(6, 3 * full), some(7, full), some(8, 2 * full)],
                skew,
            )
        }
        2 => {
            let setup = queue(arch, size, 64, 2);
            let full = 64 * (u64::from(setup.threshold) + 1);
            let mut previous = -1;
            let mut steps: Vec<Step> = (0..6)
                .map(|at| {
                    let step = Step::Submit(transfer(at, some(10 + at, full), skew), previous);
                    previous = if previous == 1 { 2 } else { 1 };
                    step
                })
                .collect();
            steps.push(Step::Wait(previous));
            of(setup, steps)
        }
        3 => {
            let setup = queue(arch, size, 1024, 1);
            of(
                setup,
                vec![fill(0, some(6, 70_000), 0x1234_5600 | number as u32 & 0xff)],
            )
        }
        _ => {
            let setup = queue(arch, 64, 65536, 1);
            let to_device = random(4) & 1 == 0;
            let (offset, bytes) = (random(5) % PAGE, some(6, 60_000));
            let copy = Step::ZeroCopy(zero_copy(0, offset, bytes, to_device));
            pages(setup, vec![copy], frames(16, 2 + number))
        }
    };
    begun_at(run, start)
}
