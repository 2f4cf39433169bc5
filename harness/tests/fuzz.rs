//! The fuzz targets as ordinary tests: on their seeds and on any bytes, and what is made of what
//! they find.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use udma_harness::fuzz::{TARGETS, hash, replay, seeds};
use udma_oracle::generate::mix;

fn corpora() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpora")
}

#[test]
fn seeds_are_what_the_command_makes() {
    let made = seeds::files(&corpora()).expect("seeds");
    let folder = corpora().join("seeds");
    let mut there = BTreeMap::new();
    let folders = TARGETS.iter().map(|target| folder.join(target.name));
    for file in replay::files(&folders.chain([folder.clone()]).collect::<Vec<_>>()).unwrap() {
        let name = file.strip_prefix(&folder).unwrap().to_path_buf();
        there.insert(name, std::fs::read(&file).unwrap());
    }
    let names = |files: &BTreeMap<PathBuf, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&there), names(&made), "udma seeds makes others");
    assert!(there == made, "udma seeds makes others");
    let bytes: usize = made.values().map(Vec::len).sum();
    assert!(bytes < 400_000, "{bytes} bytes of seeds");
    for target in TARGETS {
        let own = made.keys().filter(|file| file.starts_with(target.name));
        assert!(own.count() > 0, "{} has no seed", target.name);
    }
}

/// Every target on its seeds, and on seeds with bytes changed, cut off and put in front.
#[test]
fn every_target_holds_on_its_seeds_and_near_them() {
    let made = seeds::files(&corpora()).expect("seeds");
    for target in TARGETS {
        let own = made
            .iter()
            .filter(|(file, _)| file.starts_with(target.name));
        for (file, seed) in own {
            let name = file.display();
            println!("{name}");
            (target.run)(seed);
            for number in 0..12 {
                let random = mix(hash(seed), number);
                let mut near = seed.clone();
                for change in 0..=random % 3 {
                    let random = mix(random, change);
                    let at = (random >> 8) as usize % near.len().max(1);
                    match random % 4 {
                        0 => near.truncate(at),
                        1 => near.insert(at.min(near.len()), (random >> 40) as u8),
                        _ => {
                            if let Some(byte) = near.get_mut(at) {
                                *byte = (random >> 40) as u8;
                            }
                        }
                    }
                }
                (target.run)(&near);
            }
        }
    }
}

/// Found by `program_json`: where a copy gives another handle than its step states, whoever runs it and
/// whoever interprets it tell of that alike.
#[test]
fn a_handle_that_is_not_given_is_told_of_alike() {
    let program = r#"{
        "format": "udma-program/1", "name": "handle", "about": "States a handle.", "rules": ["ASYN-4"],
        "buffers": [
            {"name": "src", "place": "device", "size": 64, "fill": {"stream": 1}},
            {"name": "dst", "place": "device", "size": 64, "fill": {"stream": 2}}
        ],
        "rings": [],
        "steps": [
            {"op": "async_copy", "src": "src", "dst": "dst", "size": 64, "previous": 0, "handle": 1}
        ],
        "outcomes": [{"memory": [{"at": "dst", "is": [{"of": "src", "size": 64}]}]}]
    }"#;
    let target = TARGETS.iter().find(|target| target.name == "program_json");
    assert!(udma_harness::program::read::parse(program, "handle").is_ok());
    (target.expect("a target").run)(program.as_bytes());
}

/// What a campaign came to: `.ci/coverage` names its folder in `UDMA_CAMPAIGN`, and looks at what is
/// reached.
#[test]
#[ignore = "needs a campaign"]
fn every_target_holds_on_its_seeds_and_a_campaign() {
    let campaign = std::env::var_os("UDMA_CAMPAIGN").expect("UDMA_CAMPAIGN names a campaign");
    for target in TARGETS {
        let seeds = corpora().join("seeds").join(target.name);
        let corpus = Path::new(&campaign).join("corpus").join(target.name);
        assert!(corpus.is_dir(), "{}: no corpus", target.name);
        for file in replay::files(&[seeds, corpus]).expect("inputs") {
            println!("{}", file.display());
            (target.run)(&std::fs::read(&file).expect("an input"));
        }
    }
}

#[test]
fn every_target_holds_on_any_bytes() {
    for target in TARGETS {
        for number in 0..400 {
            let length = mix(3, number) % if number % 8 == 0 { 1500 } else { 120 };
            let bytes: Vec<u8> = (0..length).map(|at| mix(number, at) as u8).collect();
            (target.run)(&bytes);
        }
        (target.run)(&[]);
    }
}
