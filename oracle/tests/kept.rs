//! Cases as text: every family's are replayed from a kept file, and those that are put whole come back
//! from a subject elsewhere as they are seen of it here.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use rstest::rstest;
use serde_json::{Value, json};
use udma_oracle::catalogue::Catalogue;
use udma_oracle::line::Line;
use udma_oracle::regressions::{self, FORMAT, RegressionError};
use udma_oracle::run::plan;
use udma_oracle::session::{Options, Session};
use udma_oracle::subject::{Elsewhere, Subject};
use udma_oracle::subjects::built_in;
use udma_oracle::suite::Level;
use udma_oracle::whole;

/// Names of all families, from the sources: one that is added and not replayed is told.
fn families(folder: &Path, names: &mut BTreeSet<String>) {
    for file in fs::read_dir(folder).expect("sources") {
        let path = file.expect("a file").path();
        if path.is_dir() {
            families(&path, names);
            continue;
        }
        let text = fs::read_to_string(&path).expect("Rust");
        for part in text.split("const NAME: &'static str = \"").skip(1) {
            names.extend(part.split('"').next().map(String::from));
        }
    }
}

#[test]
fn every_family_is_replayed() {
    let mut names = BTreeSet::new();
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/cases");
    families(&cases, &mut names);
    assert!(names.len() > 40, "{names:?}");
    let catalogue = Catalogue::load();
    let selected = catalogue.select(&[]).expect("all rules");
    for name in names {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("case.json");
        let case =
            json!({"format": FORMAT, "family": name, "rule": "DESC-1", "in": 7, "expect": {}});
        fs::write(&file, case.to_string()).expect("a file");
        let mut session = Session::new(&catalogue, &[], selected.clone(), Options::default());
        let refused = regressions::replay(&mut session, folder.path());
        // 7 is no case of any family; that the family is not known is said otherwise.
        let Err(RegressionError::Content { reason, .. }) = refused else {
            panic!("{name}: {refused:?}");
        };
        assert!(!reason.contains("which is not known"), "{name}: {reason}");
    }
}

/// A subject on the other side of a pipe without the pipe.
struct Far(Box<dyn Subject>);

impl Subject for Far {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn line(&self) -> Line {
        self.0.line()
    }

    fn elsewhere(&self) -> Option<&dyn Elsewhere> {
        Some(self)
    }
}

impl Elsewhere for Far {
    fn whole(
        &self,
        family: &str,
        case: Value,
        take: &mut dyn FnMut(&[u8]) -> Result<(), String>,
    ) -> Option<()> {
        let seen = whole::answer(self.0.as_ref(), family, &case).expect("a case");
        take(&seen?).expect("what was seen");
        Some(())
    }
}

#[rstest]
#[case::cycles("rust-kernel", &["marker", "batch", "poll", "ack", "async", "memset", "zerocopy"], 20)]
#[case::starts("rust-hal", &["trigger", "poll"], 2)]
#[case::vrings("rust-hal", &["vring", "transfer", "pack", "edit", "template", "dump", "pring"], 30)]
fn what_is_put_whole_is_seen_as_it_is_here(
    #[case] subject: &str,
    #[case] suites: &[&str],
    #[case] rules: usize,
) {
    let catalogue = Catalogue::load();
    let subjects: Vec<Box<dyn Subject>> = vec![Box::new(Far(built_in(subject).expect("built in")))];
    let selected = catalogue.select(&[]).expect("all rules");
    let options = Options {
        cases: 20,
        corpora: Some(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../corpora")),
        ..Options::default()
    };
    let mut session = Session::new(&catalogue, &subjects, selected, options);
    let names: Vec<String> = suites.iter().map(ToString::to_string).collect();
    for check in plan(&session, &names) {
        if check.level <= Level::Quick {
            session.enter(check);
            (check.run)(&mut session).expect("a check that runs");
        }
    }
    let report = session.report(true, false);
    let findings: Vec<_> = report.failures().collect();
    assert!(findings.is_empty(), "{findings:?}");
    let tried = report
        .rules
        .iter()
        .filter(|rule| rule.results.iter().any(|result| result.cases > 0));
    assert!(tried.count() >= rules);
}
