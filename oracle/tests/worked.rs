//! The worked vectors: enough of them, each with its rules and its arithmetic, and held by every
//! built-in implementation.

use std::path::{Path, PathBuf};

use serde_json::Value;
use udma_oracle::catalogue::Catalogue;
use udma_oracle::session::{Options, Session};
use udma_oracle::subjects::{BUILT_IN, built_in};
use udma_oracle::suite::checks;

fn corpora() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpora")
}

fn cases(suite: &str) -> Vec<Value> {
    let path = corpora().join(format!("worked/{suite}.json"));
    let text = std::fs::read_to_string(path).expect(suite);
    let file: Value = serde_json::from_str(&text).expect("JSON");
    file["cases"].as_array().expect("cases").clone()
}

#[test]
fn there_are_enough_and_each_has_its_arithmetic() {
    let catalogue = Catalogue::load();
    let mut count = 0;
    for suite in ["packets", "opclass", "vring"] {
        for case in cases(suite) {
            let rules = case["rules"].as_array().expect("rules");
            assert!(!rules.is_empty(), "{}", case["id"]);
            for rule in rules {
                let known = catalogue.index(rule.as_str().expect("a rule"));
                assert!(known.is_some(), "{}: {rule}", case["id"]);
            }
            let derivation = case["derivation"].as_str().expect("derivation");
            assert!(derivation.len() > 8, "{}", case["id"]);
            count += 1;
        }
    }
    assert!(count >= 60, "{count}");
}

#[test]
fn every_built_in_implementation_holds_them() {
    let catalogue = Catalogue::load();
    let subjects: Vec<_> = BUILT_IN.iter().filter_map(|name| built_in(name)).collect();
    let selected = catalogue.select(&[]).expect("all rules");
    let options = Options {
        corpora: Some(corpora()),
        ..Options::default()
    };
    let mut session = Session::new(&catalogue, &subjects, selected, options);
    let worked: Vec<_> = checks()
        .into_iter()
        .filter(|check| check.name.starts_with("worked"))
        .collect();
    let names: Vec<_> = worked
        .iter()
        .map(|check| (check.suite, check.name))
        .collect();
    for known in [
        ("opclass", "worked"),
        ("vring", "worked"),
        ("vring", "worked_packets"),
    ] {
        assert!(names.contains(&known), "{known:?}");
    }
    for check in worked {
        session.enter(check);
        (check.run)(&mut session).expect("vectors that agree with the rules");
    }
    assert!(session.findings().is_empty(), "{:?}", session.findings());
    // Each was asked of both lines of the HAL.
    let report = session.report(true, false);
    for (id, least) in [("PACK-1", 5), ("DUMP-3", 2), ("TMPL-2", 3), ("BLDR-9", 5)] {
        let rule = report.rules.iter().find(|rule| rule.id == id).expect(id);
        for name in ["rust-hal", "c-hal"] {
            let result = rule.results.iter().find(|result| result.subject == name);
            assert!(
                result.is_some_and(|result| result.cases >= least),
                "{id} {name}"
            );
        }
    }
}
