//! Fuzz targets: any bytes become a case of the oracle's families, and every subject is held to it.
//!
//! A target does not know who judges. Under the fuzzer [`Assert`] ends the process at the first wrong
//! answer; a [`Session`] in a replay blames a rule, looks for the
//! smallest case and keeps it. Both ask the same families.

pub mod cycle_model;
pub mod desc_roundtrip;
pub mod golden_reader;
pub mod input;
pub mod ioctl_args;
pub mod iofic;
pub mod mutate;
pub mod opclass;
pub mod pack;
pub mod pair_diff;
pub mod program_json;
pub mod questions;
pub mod replay;
pub mod report_merge;
pub mod ring_script;
pub mod run_script;
pub mod seeds;
pub mod template;
mod vring_large;
pub mod vring_script;

use std::process::Command;
use std::sync::OnceLock;

use udma_oracle::family::Family;
use udma_oracle::session::Session;
use udma_oracle::subject::Subject;
use udma_oracle::subjects::{BUILT_IN, built_in};

/// Holds subjects against what the rules require of a case.
pub trait Judge {
    /// Every subject that offers the operation.
    fn hold<F: Family>(&mut self, case: &F::Case);
}

/// Panics at the first wrong answer: what a fuzzer takes for a crash.
pub struct Assert {
    subjects: &'static [Box<dyn Subject>],
}

impl Assert {
    /// Of these subjects.
    pub const fn of(subjects: &'static [Box<dyn Subject>]) -> Self {
        Self { subjects }
    }

    /// Of the built-in subjects.
    pub fn all() -> Self {
        static ALL: OnceLock<Vec<Box<dyn Subject>>> = OnceLock::new();
        Self::of(ALL.get_or_init(|| BUILT_IN.iter().filter_map(|name| built_in(name)).collect()))
    }
}

/// Asserts of the built-in subjects, each inside of a `$only` of which few things can be asked, with
/// the C lines' functions cut down by `$cut`: the rest is not linked in, and a fuzzer has fewer
/// counters to go through after every run.
macro_rules! assert_only {
    ($only:ident, $cut:ident) => {{
        use udma_oracle::line::Line;
        use udma_oracle::subjects::{Library, Rust};
        use udma_reference::Api;

        const KERNEL: Api = $cut(&Api::kernel());
        const HAL: Api = $cut(&Api::hal());
        static SUBJECTS: std::sync::OnceLock<Vec<Box<dyn Subject>>> = std::sync::OnceLock::new();
        $crate::fuzz::Assert::of(SUBJECTS.get_or_init(|| {
            let library = |name, line, api| $only(Library::new(name, line, api));
            vec![
                Box::new($only(Rust::new(Line::Kernel))),
                Box::new(library("c-kernel", Line::Kernel, KERNEL)),
                Box::new($only(Rust::new(Line::Hal))),
                Box::new(library("c-hal", Line::Hal, HAL)),
            ]
        }))
    }};
}
use assert_only;

impl Judge for Assert {
    fn hold<F: Family>(&mut self, case: &F::Case) {
        // Subjects of a line stand together: what is required of it is asked once.
        let mut known = None;
        for subject in self.subjects {
            let line = subject.line();
            if known.as_ref().is_none_or(|(of, _)| *of != line) {
                known = Some((line, F::required(line, case)));
            }
            let Some((_, Some(want))) = &known else {
                continue;
            };
            if let Some(got) = F::ask(subject.as_ref(), case)
                && got != *want
            {
                wrong::<F>(subject.as_ref(), case, want, &got);
            }
        }
    }
}

/// Says what is wrong in one line and no more, so that little is linked into a target; a replay
/// says the rest.
#[cold]
#[inline(never)]
fn wrong<F: Family>(subject: &dyn Subject, case: &F::Case, want: &F::Answer, got: &F::Answer) -> ! {
    let rules = F::broken(subject.line(), case, want, got);
    panic!("{} {} {}", F::NAME, subject.name(), rules.join(","));
}

impl Judge for Session<'_> {
    fn hold<F: Family>(&mut self, case: &F::Case) {
        self.try_case::<F>(&|| "fuzz".into(), case, None);
    }
}

/// A target by name.
#[derive(Clone, Copy)]
pub struct Target {
    /// Name of the fuzzer's program and of the folders.
    pub name: &'static str,
    /// Runs it on an input as the fuzzer does.
    pub run: fn(&[u8]),
    /// Runs it on an input in a session.
    pub replay: fn(&[u8], &mut Session),
}

impl Target {
    /// Options of libFuzzer. Where an execution takes less than a microsecond, weighing what every
    /// input reaches takes as long again and finds nothing sooner, nor does a table of compared
    /// values, and an input is changed several times before another one is chosen. Runs reach so
    /// much that weighing takes a seventh of the time.
    fn options(&self) -> &'static [&'static str] {
        macro_rules! quick {
            ($length:literal) => {
                &[
                    $length,
                    "-entropic=0",
                    "-reduce_inputs=0",
                    "-use_cmp=0",
                    "-mutate_depth=20",
                ]
            };
        }
        match self.name {
            "pair_diff" => quick!("-max_len=64"),
            "desc_roundtrip" => quick!("-max_len=17"),
            "cycle_model" => &["-max_len=4096", "-entropic=0"],
            _ => &["-max_len=4096", "-malloc_limit_mb=16384"],
        }
    }

    /// Gives these options to the fuzzer's program. It clears 8 KB after every execution: in a
    /// twentieth of the time that one takes, unless glibc takes wide stores for that.
    pub fn set_up<'a>(&self, fuzzer: &'a mut Command) -> &'a mut Command {
        fuzzer
            .args(self.options())
            .env("GLIBC_TUNABLES", "glibc.cpu.x86_rep_stosb_threshold=65536")
    }

    /// How many times as long an execution takes as one of the quickest targets, roughly: a number of
    /// executions is for those, and so many times fewer are for this one.
    pub fn cost(&self) -> u64 {
        match self.name {
            "cycle_model" | "ioctl_args" => 20,
            "ring_script" | "vring_script" | "pack" | "template" | "questions" | "program_json"
            | "golden_reader" => 5,
            _ => 1,
        }
    }
}

macro_rules! targets {
    ($($target:ident)*) => {
        /// Every target.
        pub const TARGETS: &[Target] = &[$(
            Target {
                name: stringify!($target),
                run: $target::fuzz,
                replay: |bytes, session| $target::run(bytes, session),
            },
        )*];
    };
}

targets! {
    desc_roundtrip pair_diff ring_script cycle_model vring_script pack template opclass iofic
    questions ioctl_args program_json golden_reader report_merge
}

/// What a fuzzer's program does first: memory that one execution gives back is kept for the next, and
/// a build with planted beliefs chooses the one that `UDMA_MUTANT` names, in the place that
/// `UDMA_MUTANT_PLACE` names.
pub fn init() {
    // SAFETY: two numbers of the allocator, which takes them or does not.
    #[cfg(target_env = "gnu")]
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, KEPT);
        libc::mallopt(libc::M_TRIM_THRESHOLD, KEPT);
    }
    #[cfg(feature = "mutants")]
    if let (Ok(number), Ok(place)) = (std::env::var(MUTANT), std::env::var(MUTANT_PLACE)) {
        udma_oracle::mutants::plant(number.parse().expect("UDMA_MUTANT is a number"), &place);
    }
}

/// Bytes that the allocator keeps, and blocks that it takes from them; the most that glibc grants.
#[cfg(target_env = "gnu")]
const KEPT: i32 = 32 << 20;

/// The variable that names a planted belief by its number.
#[cfg(feature = "mutants")]
pub const MUTANT: &str = "UDMA_MUTANT";
/// The variable that names where it is planted.
#[cfg(feature = "mutants")]
pub const MUTANT_PLACE: &str = "UDMA_MUTANT_PLACE";

/// A target by its name.
pub fn target(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}

/// A number that follows from all bytes of an input: what is to be rare among inputs is decided by
/// it, as a fuzzer would make anything that a field says as frequent as it likes.
#[inline]
pub fn hash(bytes: &[u8]) -> u64 {
    let fold = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325, fold);
    udma_oracle::generate::mix(hash, bytes.len() as u64)
}
