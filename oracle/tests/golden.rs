//! The recorded files: unchanged, whole, and as their schema has them.

use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use udma_oracle::catalogue::Catalogue;
use udma_oracle::golden::{SUITES, replay};
use udma_oracle::line::Line;
use udma_oracle::session::{Options, Session};
use udma_oracle::subject::Subject;
use udma_oracle::subjects::{BUILT_IN, built_in};
use udma_oracle::wire::Place;

/// Digests of the files as they came.
const DIGESTS: &[(&str, &str)] = &[
    (
        "README.md",
        "318e19a34cbbc7e9e97f76ba13dc13ee6849695c2d3053045cb6d56e38746955",
    ),
    (
        "bar0_block.json",
        "271eef7ec873a01320a1a0610182ce889902964085d89b2695da4d1fc9b137f1",
    ),
    (
        "copy_pair.json",
        "85c45b2c02f824b383a28505e39dfac7b90420e4b3b0e6b47fcb35d17f4b0b4d",
    ),
    (
        "copy_start.json",
        "8160a72dba36ed8a220f1ac05c5459780200fd06e3895b2413470b5568fa07c6",
    ),
    (
        "desc_count.json",
        "caa4a71748411a19e415c8eef5cd5c04a3912ddf08d368d9161ba9efce8d8b9a",
    ),
    (
        "ioctl_abi.json",
        "6e301555319c8216915380fbc877a7751db703441c078f8b1cf9a19dd9e20666",
    ),
    (
        "iofic.json",
        "dffb56d054462a24f4a3a58207284a40afcef82995d44190db99cfcf5a2910a9",
    ),
    (
        "memcpy_trace.json",
        "4d2e30eab8dfc65c3fefe6fb2c159f6cbc20a89a23b132bbae6122e4a71d21ad",
    ),
    (
        "memset_trace.json",
        "de55fa57e8004e8ba7c496d4c0f518c3c6a9b1c1669aa549582efb0cb014a5d8",
    ),
    (
        "queue_init.json",
        "c390cfb5c189163ded96a8da86d2d61ec080213503cdca21aea9c84d018c7a66",
    ),
    (
        "queue_state.json",
        "a7ddc761919f084c2942957f27ad8c8f5e07656f41d1da0b769da4e3ca49cf14",
    ),
    (
        "register_map.json",
        "0e8f2a04f454fb3e84619d8a6472ea344262d69afc31feb998627dccde5d603c",
    ),
    (
        "ring_cursor.json",
        "bd88ad90684fc23e41f35421a8c4c4c64b07297a97a20d1166708b5d7b1140fd",
    ),
    (
        "versions.md",
        "90ef96c636d534de9f67cf44cbd1905b28ad0cfac6789018ee7bae49ac818328",
    ),
    (
        "wait_time.json",
        "f0341c51d7f16704424cca772f2d8681f875ad9bdc443f0b8556f4ff90639873",
    ),
    (
        "zerocopy_trace.json",
        "0b821cc42cadb37cd3b3c05f05efddbf8d0324cf4a1268415e724bccfd955d94",
    ),
];

fn golden() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpora/golden")
}

#[test]
fn recorded_files_are_as_they_came() {
    for (name, digest) in DIGESTS {
        let bytes = std::fs::read(golden().join(name)).expect(name);
        let found: String = Sha256::digest(bytes)
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        assert_eq!(found, *digest, "{name} was edited");
    }
}

#[test]
fn recorded_files_fit_their_schema() {
    let read = |path: PathBuf| -> serde_json::Value {
        serde_json::from_str(&std::fs::read_to_string(&path).expect("a file")).expect("JSON")
    };
    let schema = read(golden().join("../schema/golden.schema.json"));
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    for (name, _) in DIGESTS.iter().filter(|(name, _)| {
        Path::new(name)
            .extension()
            .is_some_and(|extension| extension == "json")
    }) {
        let file = read(golden().join(name));
        if let Err(error) = validator.validate(&file) {
            panic!("{name}: {error} at {}", error.instance_path());
        }
    }
}

/// Every case of every file that is replayed, on every built-in subject: nothing is found and
/// nothing is left out.
#[test]
fn every_case_is_replayed() {
    let expected = [
        ("copy_pair", 878),
        ("ring_cursor", 167),
        ("desc_count", 5676),
        ("queue_init", 135),
        ("copy_start", 316),
        ("queue_state", 183),
        ("register_map", 96),
        ("iofic", 29),
        ("bar0_block", 967),
        ("ioctl_abi", 203),
        ("memcpy_trace", 90),
        ("memset_trace", 48),
        ("zerocopy_trace", 36),
        ("wait_time", 1332),
    ];
    assert_eq!(expected.map(|(suite, _)| suite), SUITES);
    let catalogue = Catalogue::load();
    let subjects: Vec<_> = BUILT_IN.iter().filter_map(|name| built_in(name)).collect();
    for (suite, cases) in expected {
        let selected = catalogue.select(&[]).expect("all rules");
        let mut session = Session::new(&catalogue, &subjects, selected, Options::default());
        let done = replay(&mut session, &golden().join(format!("{suite}.json"))).expect(suite);
        assert_eq!(
            (done.cases, done.left_out.as_slice()),
            (cases, [].as_slice()),
            "{suite}"
        );
        assert!(
            session.findings().is_empty(),
            "{suite}: {:?}",
            session.findings()
        );
        // The vectors were tried on both kernel-line subjects; the ioctl numbers are the Rust
        // implementation's alone.
        let report = session.report(true, false);
        let asked: &[&str] = if suite == "ioctl_abi" {
            &["rust-kernel"]
        } else {
            &["rust-kernel", "c-kernel"]
        };
        for name in asked {
            let tried = report.rules.iter().flat_map(|rule| &rule.results);
            assert!(
                tried.filter(|r| r.subject == *name).any(|r| r.cases > 0),
                "{suite} {name}"
            );
        }
    }
}

/// The implementation's layout, which must have every name that it is asked for.
struct Layout(Box<dyn Subject>);

impl Subject for Layout {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn line(&self) -> Line {
        self.0.line()
    }

    fn layout(&self, kind: &str, name: &str, field: &str) -> Option<Place> {
        let place = self.0.layout(kind, name, field);
        assert!(place.is_some(), "{kind} {name} {field}");
        place
    }
}

/// A name that a subject does not know is not offered, which is no finding; this one knows them all.
#[test]
fn the_implementation_has_every_recorded_name() {
    let catalogue = Catalogue::load();
    let subjects: [Box<dyn Subject>; 1] =
        [Box::new(Layout(built_in("rust-kernel").expect("built in")))];
    let selected = catalogue.select(&["REGS-1".into()]).expect("a rule");
    let mut session = Session::new(&catalogue, &subjects, selected, Options::default());
    replay(&mut session, &golden().join("register_map.json")).expect("vectors");
    let report = session.report(true, false);
    assert!(report.rules[0].results[0].cases > 300);
}
