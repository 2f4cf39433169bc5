//! A queue's run on an engine that does everything in order, but for batches that are late or lost:
//! all calls of the cycle, refused ones too. A question of [`super::questions`].

use udma_oracle::cycle::{Behaviour, PAGE, Run, Step};
use udma_oracle::generate::cycle::{contexts, fill, frames, of, pages, queue, transfer, zero_copy};
use udma_oracle::subject::cycle::{Setup, ZeroCopy};
use udma_reference::abi;

use super::input::input;

input! {
    /// A run.
    struct Script {
        /// Architecture.
        arch: u8,
        /// Driver version.
        driver: u8,
        /// Platform.
        platform: u8,
        /// Data pairs of a batch.
        batch: u8,
        /// Delay calls before a batch is done.
        late: u8,
        /// Batches that are lost.
        lost: u8,
        /// Attempts inside of a reset window, and before those.
        window: [u8; 2],
        /// What is asked.
        calls: Calls,
    }
}

input! {
    /// What is asked.
    enum Calls {
        /// Copies and fills.
        Copies { calls: Vec<Call>, skew: u8 },
        /// Copies of user pages.
        ZeroCopy { copies: Vec<Pages>, user: User },
        /// Copies of user pages through the context queue.
        Contexts { capacity: u8, budget: u8, entries: u8, calls: Vec<Queued>, user: User },
    }
}

input! {
    /// A call.
    enum Call {
        /// A copy.
        Copy { size: u16 },
        /// A fill.
        Fill { size: u16, value: u32 },
        /// An asynchronous copy after a handle.
        Submit { size: u16, previous: u8 },
        /// A wait for a handle.
        Wait { previous: u8 },
    }
}

input! {
    /// A call of the context queue.
    enum Queued {
        /// Takes a copy in.
        Enqueue { copy: Pages },
        /// Copies.
        Copy { copy: Pages },
        /// So many rounds.
        Advance { rounds: u8 },
        /// Reads completions.
        Pop {},
    }
}

input! {
    /// A copy of user pages.
    struct Pages {
        /// First byte in the first page.
        offset: u16,
        /// Bytes.
        size: u16,
        /// Whether another core asks.
        foreign: bool,
    }
}

input! {
    /// The user buffer.
    struct User {
        /// How pages lie.
        layout: u8,
        /// Of the pages that are needed, so many 32nds are missing.
        missing: u8,
        /// A ring of 64 descriptors.
        narrow: bool,
        /// Direction.
        to_device: bool,
    }
}

/// Most calls of a run.
const MOST: usize = 12;
/// Bytes of a chunk of copies and fills.
const CHUNK: u32 = 64;
/// Most batches that are lost: each is waited for to its end.
const MOST_LOST: u8 = 3;
/// Handles: known ones (ASYN-1), and such as were never given.
const HANDLES: [i32; 12] = [-1, -1, 1, 1, 1, 2, 2, 2, 0, 3, -2, i32::MAX];

fn handle(number: u8) -> i32 {
    HANDLES[usize::from(number) % HANDLES.len()]
}

impl Pages {
    fn copy(&self, at: u64, to_device: bool, most: u16) -> ZeroCopy {
        let (offset, size) = (
            u64::from(self.offset) % PAGE,
            8 * u64::from(self.size.min(most)),
        );
        let copy = zero_copy(at, offset, size, to_device);
        ZeroCopy {
            core: copy.core + u32::from(self.foreign),
            ..copy
        }
    }
}

impl User {
    /// The run on this buffer, with as many pages as its copies need but for those that are missing.
    fn run(&self, setup: Setup, steps: Vec<Step>) -> Run {
        let needed = |step: &Step| match step {
            Step::ZeroCopy(copy) | Step::Enqueue(copy, _) | Step::ContextsCopy(copy) => {
                (copy.user % PAGE + copy.size).div_ceil(PAGE)
            }
            _ => 0,
        };
        let needed = steps.iter().map(needed).max().unwrap_or(0);
        let missing = u64::from(self.missing.saturating_sub(128) % 32);
        let known = needed - needed * missing / 32;
        pages(setup, steps, frames(known.max(1), self.layout.into()))
    }

    fn setup(&self, arch: u8) -> Setup {
        queue(arch, if self.narrow { 64 } else { 512 }, 65536, 1)
    }
}

impl Calls {
    /// The run, with batches of no more pairs than are given, and copies of no more user memory, in units of
    /// 8 bytes.
    fn run(&self, arch: u8, driver: u8, [batch, pages]: [u16; 2]) -> Run {
        match self {
            Self::Copies { calls, skew } => {
                let mut setup = queue(arch, 64, CHUNK, 2);
                setup.threshold = setup.threshold.min(batch.into());
                setup.driver = driver % 5;
                let skew = u64::from(skew % 3);
                let most = 2 * u64::from(CHUNK) * (u64::from(setup.threshold) + 1);
                let of_call = |(at, call): (u64, &Call)| match *call {
                    Call::Copy { size } => Step::Copy(transfer(at, u64::from(size) % most, skew)),
                    Call::Fill { size, value } => fill(at, u64::from(size) % most, value),
                    Call::Submit { size, previous } => Step::Submit(
                        transfer(at, 1 + u64::from(size) % most, skew),
                        handle(previous),
                    ),
                    Call::Wait { previous } => Step::Wait(handle(previous)),
                };
                of(
                    setup,
                    (0..).zip(calls.iter().take(MOST)).map(of_call).collect(),
                )
            }
            Self::ZeroCopy { copies, user } => {
                let mut setup = user.setup(arch);
                setup.driver = driver % abi::UDMA_DRIVER_2_27_4 as u8;
                let copies = (0..).zip(copies.iter().take(MOST / 4));
                let steps =
                    copies.map(|(at, copy)| Step::ZeroCopy(copy.copy(at, user.to_device, pages)));
                user.run(setup, steps.collect())
            }
            Self::Contexts {
                capacity,
                budget,
                entries,
                calls,
                user,
            } => {
                let mut setup = user.setup(arch);
                setup.driver = abi::UDMA_DRIVER_2_27_4 as u8;
                let open = contexts(
                    1 + u32::from(capacity % 8),
                    64 + 4 * u64::from(*budget),
                    1 << (entries % 4),
                );
                let of_call = |(at, call): (u64, &Queued)| match call {
                    Queued::Enqueue { copy } => {
                        Step::Enqueue(copy.copy(at, user.to_device, pages), at)
                    }
                    Queued::Copy { copy } => {
                        Step::ContextsCopy(copy.copy(at, user.to_device, pages))
                    }
                    Queued::Advance { rounds } => Step::Advance((*rounds).into()),
                    Queued::Pop {} => Step::Pop,
                };
                let calls = (0..).zip(calls.iter().take(MOST)).map(of_call);
                let end = [Step::Advance(99), Step::Pop];
                let steps = std::iter::once(open).chain(calls);
                user.run(setup, steps.chain(end).chain(end).collect())
            }
        }
    }
}

impl Script {
    /// The run; batches are lost where they may be.
    pub fn run(&self, may_lose: bool) -> Run {
        let lost = if may_lose {
            self.lost % (MOST_LOST + 1)
        } else {
            0
        };
        // What is lost is waited for the longer, the larger its batch is (POLL-2).
        let most = if lost == 0 {
            [self.batch.into(), u16::MAX]
        } else {
            [u16::from(self.batch).min(8), 1000]
        };
        let mut run = self.calls.run(2 + self.arch % 3, self.driver, most);
        // A virtual platform waits longer for what is lost than there is time (POLL-3).
        run.setup.platform = if lost == 0 {
            u32::from(self.platform % 3)
        } else {
            0
        };
        run.engine = Behaviour {
            delay_calls: self.late.into(),
            lost_batches: lost.into(),
            in_reset_window: u64::from(self.window[0] % 4),
            out_of_window: u64::from(self.window[1] % 3),
        };
        run
    }
}

/// A run of each kind.
pub fn each() -> Vec<Script> {
    let script = |lost, calls| Script {
        arch: 0,
        driver: 0,
        platform: 0,
        batch: 8,
        late: 2,
        lost,
        window: [1, 0],
        calls,
    };
    let (start, after) = (0, 2);
    let copies = |calls: Vec<Call>| Calls::Copies { calls, skew: 0 };
    let page = |size| Pages {
        offset: 10,
        size,
        foreign: false,
    };
    let foreign = Pages {
        foreign: true,
        ..page(100)
    };
    let user = |missing, narrow, to_device| User {
        layout: 1,
        missing,
        narrow,
        to_device,
    };
    let queued = |user, calls: Vec<Queued>| Calls::Contexts {
        capacity: 3,
        budget: 0,
        entries: 0,
        calls,
        user,
    };
    let take = |copy| Queued::Enqueue { copy };
    let submit = |size, previous| Call::Submit { size, previous };
    let both = [1, 0].map(|lost| {
        vec![
            script(
                lost,
                copies(vec![Call::Copy { size: 60 }, Call::Copy { size: 700 }]),
            ),
            script(
                lost,
                copies(vec![Call::Fill {
                    size: 900,
                    value: 7,
                }]),
            ),
            script(
                lost,
                copies(vec![
                    submit(60, start),
                    submit(900, after),
                    submit(60, after),
                    Call::Wait { previous: after },
                    Call::Wait { previous: 5 },
                    Call::Wait { previous: 9 },
                ]),
            ),
            script(
                lost,
                Calls::ZeroCopy {
                    copies: vec![page(60_000), foreign.clone()],
                    user: user(0, false, true),
                },
            ),
            script(
                lost,
                Calls::ZeroCopy {
                    copies: vec![page(60_000)],
                    user: user(140, true, false),
                },
            ),
            script(
                lost,
                queued(
                    user(0, false, true),
                    vec![
                        take(page(2000)),
                        take(page(60_000)),
                        Queued::Copy { copy: page(10) },
                        Queued::Advance { rounds: 1 },
                        Queued::Pop {},
                        Queued::Copy {
                            copy: foreign.clone(),
                        },
                    ],
                ),
            ),
            script(
                lost,
                queued(
                    user(150, true, true),
                    vec![
                        take(page(60_000)),
                        take(page(0)),
                        Queued::Copy { copy: page(60_000) },
                    ],
                ),
            ),
        ]
    });
    both.concat()
}
