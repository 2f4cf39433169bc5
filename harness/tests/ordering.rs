//! How soon a seeded engine finds beliefs about order, and that it finds nothing in what is right.
//! Builds with the `mutants` feature alone; takes minutes, so that only a deep run has it.
#![cfg(feature = "mutants")]

use udma_oracle::cases::cycle::{SeededRun, violations};
use udma_oracle::cycle::{Run, Step};
use udma_oracle::generate::cycle::{ARCHES, copies, frames, pages, queue, zero_copy};
use udma_oracle::generate::mix;
use udma_oracle::mutants::choose;
use udma_oracle::subject::Subject;
use udma_oracle::subjects::built_in;

/// Beliefs about order: number and whether it shows in a zero-copy write on v3 and v4 alone.
const BELIEFS: [(u32, bool); 11] = [
    (72, false),
    (101, false),
    (102, false),
    (105, false),
    (106, false),
    (110, false),
    (129, false),
    (130, false),
    (131, false),
    (152, false),
    (191, true),
];
const STARTS: u64 = 100;
const MOST_SEEDS: u64 = 64;
const MEDIAN: u64 = 8;

/// Three full batches and a bit on a ring of 32.
fn copy(arch: u8) -> Run {
    let setup = queue(arch, 32, 64, 1);
    let full = 64 * (u64::from(setup.threshold) + 1);
    copies(setup, &[3 * full + 70], 0)
}

/// One step of pages here and there.
fn write(arch: u8) -> Run {
    let copy = Step::ZeroCopy(zero_copy(0, 100, 60_000, true));
    pages(queue(arch, 64, 65536, 1), vec![copy], frames(16, 1))
}

/// Seeds until the first that shows something, from a start on.
fn seeds_until_found(subject: &dyn Subject, run: &Run, start: u64) -> Option<u64> {
    (1..=MOST_SEEDS).find(|number| {
        let case = SeededRun {
            seed: mix(start, *number),
            run: run.clone(),
        };
        let found = violations(subject, &case).expect("the kernel line has ring cycles");
        if found.is_empty() {
            return false;
        }
        // The same seed shows the same again.
        assert_eq!(violations(subject, &case), Some(found));
        true
    })
}

#[test]
fn beliefs_about_order_are_found_within_a_few_seeds() {
    if std::env::var_os("UDMA_DEEP").is_none() {
        return;
    }
    let mut missed = Vec::new();
    for (number, zero_copied) in BELIEFS {
        for name in ["rust-kernel", "c-kernel"] {
            let subject = built_in(name).expect("a built-in subject");
            for arch in ARCHES.into_iter().filter(|arch| !zero_copied || *arch > 2) {
                let run = if zero_copied { write(arch) } else { copy(arch) };
                choose(number);
                let mut counts: Vec<u64> = (0..STARTS)
                    .map(|start| {
                        seeds_until_found(subject.as_ref(), &run, start).unwrap_or(u64::MAX)
                    })
                    .collect();
                choose(0);
                counts.sort_unstable();
                let (median, most) = (counts[counts.len() / 2], counts[counts.len() - 1]);
                println!("mutant {number} {name} v{arch}: median {median}, most {most} seeds");
                if median > MEDIAN || most > MOST_SEEDS {
                    missed.push((number, name, arch, median, most));
                }
            }
        }
    }
    assert!(missed.is_empty(), "{missed:?}");
}
