//! The fuzz targets as ordinary tests: on their seeds and on any bytes, and what is made of what
//! they find.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use udma_harness::fuzz::{TARGETS, hash, replay, seeds, target};
use udma_harness::interpret::interpret;
use udma_harness::program::Arch;
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

/// An input with bytes changed, cut off and put in front.
fn near(input: &[u8], number: u64) -> Vec<u8> {
    let random = mix(hash(input), number);
    let mut near = input.to_vec();
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
    near
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
                (target.run)(&near(seed, number));
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
    let target = target("program_json").expect("a target");
    assert!(udma_harness::program::read::parse(program, "handle").is_ok());
    (target.run)(program.as_bytes());
}

/// Found by `program_json`: what lies outside of a program's memory may be another buffer's, or somebody
/// else's. Only a program that says so copies from there.
#[test]
fn descriptors_that_an_engine_must_refuse_are_said_to_disturb() {
    let text = |tags: &str, src: &str| {
        format!(
            r#"{{"format": "udma-program/1", "name": "outside", "about": "Copies.", "rules": ["MODL-7"],
            "tags": [{tags}],
            "buffers": [
                {{"name": "src", "place": "device", "size": 4096, "fill": {{"stream": 1}}}},
                {{"name": "dst", "place": "device", "size": 4096, "fill": {{"stream": 2}}}}
            ],
            "rings": [{{"name": "a", "tx": 64, "rx": 64}}],
            "steps": [
                {{"op": "copy", "ring": "a", "src": "{src}", "dst": "dst", "size": 64}},
                {{"op": "doorbell", "ring": "a"}}
            ],
            "outcomes": [{{}}]}}"#
        )
    };
    let target = target("program_json").expect("a target");
    for (tags, src, wanted) in [
        ("", "src+4032", None),
        (
            "",
            "src+4033",
            Some("steps[0]: an engine must refuse its descriptors"),
        ),
        (
            "",
            "src+9194",
            Some("steps[0]: an engine must refuse its descriptors"),
        ),
        (r#""disturbs-device""#, "src+9194", None),
    ] {
        let text = text(tags, src);
        (target.run)(text.as_bytes());
        let program = udma_harness::program::read::parse(&text, "outside").expect("a program");
        let error = interpret(&program, Arch::V3, Path::new(".")).err();
        match (&error, wanted) {
            (Some(error), Some(wanted)) => assert!(error.starts_with(wanted), "{error}"),
            _ => assert!(error.is_none() && wanted.is_none(), "{src}: {error:?}"),
        }
    }
}

/// Found by `questions`: behind a step that is refused for want of room, a second copy of user pages
/// waits for a marker that never comes, longer than the machine lets it. That is no answer.
#[test]
fn a_wait_that_outlasts_the_machine_is_not_judged() {
    const INPUT: &[u8] =
        b"\xff\xff\xff\xff\xff\xff\xff\x01\x01\x01\x01\xfe\xfe\xfe\xfe\xfe\xff\xfe\xfe\
        \x28\xfe\xfe\xfe\xfeGGGG)GEGG\xff\x02GG\xff\x02";
    let target = target("questions").expect("a target");
    (target.run)(INPUT);
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
            let input = std::fs::read(&file).expect("an input");
            (target.run)(&input);
            // A fuzzer keeps one of the inputs that take the same branches; what they ask of a table
            // is another thing each time.
            for number in 0..4 {
                (target.run)(&near(&input, number));
            }
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
