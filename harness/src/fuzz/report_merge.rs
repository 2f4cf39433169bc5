//! Any bytes as parts of a run, a zero byte between them: an error, or a report that holds what the
//! parts hold, in whatever order they are given.

use std::path::Path;

use udma_report::json;
use udma_report::merge::{Shard, merge};
use udma_report::model::Report;

use super::Judge;

/// Most bytes of all parts, and most parts.
const MOST: [usize; 2] = [1 << 16, 8];

fn cases(report: &Report) -> u128 {
    let results = report.rules.iter().flat_map(|rule| &rule.results);
    results.map(|result| u128::from(result.cases)).sum()
}

/// Runs the target.
///
/// # Panics
/// Where the joined report is not what the parts are.
pub fn run<J: Judge>(bytes: &[u8], _judge: &mut J) {
    if bytes.len() > MOST[0] {
        return;
    }
    let file = Path::new("input");
    let parts = bytes.split(|byte| *byte == 0).take(MOST[1]);
    let Ok(shards) = parts
        .map(|part| Shard::parse(part, file))
        .collect::<Result<Vec<Shard>, _>>()
    else {
        return;
    };
    for shard in &shards {
        let again = Shard::parse(shard.render().as_bytes(), file);
        assert_eq!(again.expect("what was written is read"), *shard);
    }
    let mut turned = shards.clone();
    turned.reverse();
    match (merge(shards.clone()), merge(turned)) {
        (Ok(whole), Ok(turned)) => {
            assert_eq!(whole, turned, "another order");
            let sum: u128 = shards.iter().map(|shard| cases(&shard.report)).sum();
            assert_eq!(cases(&whole), sum, "cases");
            let found = |report: &Report| report.findings.is_empty();
            let none = shards.iter().all(|shard| found(&shard.report));
            assert_eq!(found(&whole), none, "findings");
            let text = json::render(&whole);
            let read = json::parse(text.as_bytes(), file);
            assert_eq!(read.expect("a joined report is valid"), whole);
        }
        (Err(_), Err(_)) => {}
        (one, other) => panic!("in one order only: {one:?}, {other:?}"),
    }
}

/// Runs it as the fuzzer does.
pub fn fuzz(bytes: &[u8]) {
    run(bytes, &mut super::Assert::of(&[]));
}
