//! Cases as text: every family's are replayed from a kept file.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::json;
use udma_oracle::catalogue::Catalogue;
use udma_oracle::regressions::{self, FORMAT, RegressionError};
use udma_oracle::session::{Options, Session};

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
