//! Every planted belief about the ring cycle is seen by a replay or a check.
#![cfg(feature = "mutants")]

mod cycle;

use cycle::subject::Rust;
use cycle::{Outcome, checks, replay, vectors, zerocopy};
use serde_json::Value;

/// Numbers of the families TRIG, MARK, HOST, BTCH, POLL, ACK, ASYN, RTRY, MSET, ZC, SWQ, MODL.
const NUMBERS: std::ops::RangeInclusive<u32> = 101..=199;

/// Cases that cost little, and the first one of more than a full batch.
fn is_cheap(case: &Value) -> bool {
    let input = &case["in"];
    let size = vectors::number(&input["size"]);
    let warm_ups = input["warmup"]["count"].as_u64().unwrap_or(0);
    size < 2 << 20 && warm_ups < 10_000 || size == 133_169_153 && input["arch"] == "v2"
}

/// How a case of a suite is replayed.
type Replay = fn(&Value) -> Outcome;

const SUITES: [(&str, Replay); 5] = [
    ("copy_start", replay::copy_start::<Rust>),
    ("memcpy_trace", replay::memcpy::<Rust>),
    ("memset_trace", replay::memset::<Rust>),
    ("zerocopy_trace", zerocopy::zero_copy::<Rust>),
    ("wait_time", replay::wait_time::<Rust>),
];

/// One recorded case.
struct Case {
    name: String,
    value: Value,
    replay: Replay,
}

fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for (suite, replay) in SUITES {
        for value in vectors::cases(suite) {
            if !suite.starts_with("mem") || is_cheap(&value) {
                cases.push(Case {
                    name: format!("{suite} {}", value["id"]),
                    value,
                    replay,
                });
            }
        }
    }
    cases
}

/// What sees the belief first, if anything does. A belief may also end in a panic.
fn seen_by(cases: &[Case]) -> Option<String> {
    let run = |name: &str, check: &dyn Fn() -> Outcome| {
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(check));
        match outcome {
            Ok(Ok(())) => None,
            Ok(Err(error)) => Some(format!("{name}: {error}")),
            Err(_) => Some(format!("{name}: panicked")),
        }
    };
    cases
        .iter()
        .find_map(|case| run(&case.name, &|| (case.replay)(&case.value)))
        .or_else(|| {
            checks::CHECKS
                .iter()
                .find_map(|(name, check)| run(name, check))
        })
}

#[test]
fn every_planted_belief_is_seen() {
    std::panic::set_hook(Box::new(|_| {}));
    let cases = cases();
    udma::fault::choose(0);
    assert_eq!(seen_by(&cases), None, "with no belief chosen");
    let mut unseen: Vec<u32> = Vec::new();
    for number in NUMBERS {
        udma::fault::choose(number);
        match seen_by(&cases) {
            Some(by) => println!("{number}: {by}"),
            None => unseen.push(number),
        }
    }
    udma::fault::choose(0);
    let _ = std::panic::take_hook();
    assert!(unseen.is_empty(), "planted and not seen: {unseen:?}");
}
