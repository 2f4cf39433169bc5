//! The programs of the corpus: their files, and their outcomes on the interpreter and the model.

use std::collections::BTreeSet;
use std::path::Path;

use rstest::rstest;
use udma_harness::corpus;
use udma_harness::interpret::{Interpretation, interpret};
use udma_harness::program::{Arch, Program, Tag, check, read};
use udma_harness::run::backend::{Backend, Ran, Settings, Source};
use udma_harness::run::generate::Plan;
use udma_harness::run::judge::{Judge, Verdict};

mod faults;

const HERE: &str = ".";
/// Programs with more bytes than this run on fewer seeds.
const LARGE: u64 = 1 << 24;

fn settings(arch: Arch) -> Settings {
    Settings {
        arch,
        ..Settings::default()
    }
}

fn source(program: &Program) -> Source<'_> {
    Source {
        program,
        file: Path::new(HERE),
        folder: Path::new(HERE),
    }
}

fn interpreted(program: &Program, arch: Arch) -> Interpretation {
    interpret(program, arch, Path::new(HERE)).expect("fills of the corpus can be made")
}

#[test]
fn programs_are_valid_and_plenty() {
    let programs = corpus::all();
    let names: BTreeSet<_> = programs.iter().map(|program| &program.name).collect();
    assert_eq!(names.len(), programs.len(), "a name is there twice");
    assert!(programs.len() >= 60, "{}", programs.len());
    for program in &programs {
        check::check(program).unwrap_or_else(|bad| panic!("{}: {bad:?}", program.name));
        let text = read::render(program);
        let again = read::parse(&text, "x.json").unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(*program, again);
    }
}

#[test]
fn files_are_what_is_written() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpora/programs");
    let files = read::files(&[folder]).expect("the folder is there");
    let programs = corpus::all();
    assert_eq!(files.len(), programs.len());
    for program in programs {
        let name = format!("{}.json", program.name);
        let file = files.iter().find(|file| file.ends_with(&name));
        let text = std::fs::read_to_string(file.expect("a file a program")).unwrap();
        assert_eq!(
            text,
            read::render(&program),
            "udma programs corpora/programs"
        );
    }
}

#[test]
fn every_rule_is_known() {
    let rules = udma_harness::run::rules::all();
    let known: BTreeSet<_> = rules.iter().map(|rule| rule.id.as_str()).collect();
    for program in corpus::all() {
        for rule in program.named_rules() {
            assert!(known.contains(rule), "{}: {rule}", program.name);
        }
    }
}

#[test]
fn the_interpreter_gives_a_stated_outcome() {
    for program in corpus::all() {
        for arch in Arch::ALL.into_iter().filter(|arch| program.suits(*arch)) {
            let interpretation = interpreted(&program, arch);
            let judge = Judge::new(&program, &interpretation, Path::new(HERE)).unwrap();
            let verdict = judge.judge(&interpretation.outcome);
            assert!(
                matches!(verdict, Verdict::Outcome(_)),
                "{} {arch:?}: {verdict:#?}",
                program.name
            );
        }
    }
}

fn on_the_model(arch: Arch, seeds: u64) {
    for program in corpus::all()
        .into_iter()
        .filter(|program| program.suits(arch))
    {
        let interpretation = interpreted(&program, arch);
        let judge = Judge::new(&program, &interpretation, Path::new(HERE)).unwrap();
        let seeds = if program.bytes() > LARGE { 2 } else { seeds };
        let mut seen = BTreeSet::new();
        for seed in 0..seeds {
            let backend = Backend::Model { seed };
            let ran = backend.run(source(&program), 0, &settings(arch));
            let Ok(Ran::Outcome(outcome, findings)) = ran else {
                panic!("{}: {ran:?}", program.name);
            };
            let found = judge.findings(&findings);
            assert!(
                found.is_empty(),
                "{} {arch:?} seed {seed}: {found:#?}",
                program.name
            );
            match judge.judge(&outcome) {
                Verdict::Outcome(index) => {
                    seen.insert(index);
                }
                Verdict::Differs(differences) => {
                    panic!("{} {arch:?} seed {seed}: {differences:#?}", program.name)
                }
            }
        }
        assert_eq!(
            program.is(Tag::Litmus),
            program.outcomes.len() > 1,
            "{}",
            program.name
        );
        assert_eq!(
            seen.len(),
            program.outcomes.len(),
            "{} {arch:?}: outcomes {seen:?}",
            program.name
        );
    }
}

#[test]
fn the_model_gives_stated_outcomes_v2() {
    on_the_model(Arch::V2, 100);
}

#[test]
fn the_model_gives_stated_outcomes_v3() {
    on_the_model(Arch::V3, 100);
}

#[test]
fn the_model_gives_stated_outcomes_v4() {
    on_the_model(Arch::V4, 100);
}

/// Every file satisfies the schema, and a misspelt member does not.
#[test]
fn files_satisfy_the_schema() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpora");
    let text = std::fs::read_to_string(folder.join("schema/program.schema.json")).unwrap();
    let schema: serde_json::Value = serde_json::from_str(&text).unwrap();
    jsonschema::draft202012::meta::validate(&schema).expect("the schema is a schema");
    let schema = jsonschema::draft202012::new(&schema).expect("the schema is whole");
    for program in corpus::all() {
        let text = read::render(&program);
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        let errors: Vec<_> = schema
            .iter_errors(&value)
            .map(|error| error.to_string())
            .collect();
        assert!(errors.is_empty(), "{}: {errors:#?}", program.name);
        let misspelt = text.replacen("\"op\":", "\"opp\":", 1);
        let value = serde_json::from_str(&misspelt).unwrap();
        assert!(!schema.is_valid(&value), "{}", program.name);
        assert!(read::parse(&misspelt, "x.json").is_err());
    }
}

/// Errors name file, place, value and bound.
#[test]
fn errors_name_file_place_value_and_bound() {
    let program = corpus::all()
        .into_iter()
        .find(|program| program.name == "copy-4")
        .unwrap();
    let text = read::render(&program);
    for (from, to, wanted) in [
        (
            "\"tx\":64",
            "\"tx\":0",
            "bad.json: rings[0].tx: 0 is not in 1 to 1048576",
        ),
        (
            "\"queue\":0",
            "\"queue\":16",
            "bad.json: rings[0].queue: 16 is not in 0 to 15",
        ),
        (
            "\"size\":4,\"mode\"",
            "\"size\":0,\"mode\"",
            "bad.json: steps[0].size: 0 is not in 1 to 4294967296",
        ),
        (
            "\"dst\":\"dst\"",
            "\"dst\":\"nowhere\"",
            "bad.json: steps[0].dst: \"nowhere\" is no buffer",
        ),
        (
            "\"op\":\"copy\"",
            "\"op\":\"copied\"",
            "bad.json: steps[0]: unknown variant `copied`",
        ),
        (
            "udma-program/1",
            "udma-program/9",
            "bad.json: format: \"udma-program/9\": only",
        ),
        (
            "\"at\":\"dst\"",
            "\"at\":\"dst+4093\"",
            "bad.json: outcomes[0].memory[0].at: 4 bytes at dst+4093",
        ),
    ] {
        assert!(text.contains(from), "{from}\n{text}");
        let error = read::parse(&text.replacen(from, to, 1), "bad.json")
            .unwrap_err()
            .to_string();
        assert!(error.starts_with(wanted), "{error}");
    }
}

/// Found by the fuzz target `program_json`: what a device may grant is not asked for as if it were
/// refused (DEV-9).
#[rstest]
#[case::granted(r#""size":6"#, Some("bad.json: steps[0].size: 6: may be granted"))]
#[case::all_but_no_room(
    r#""size":70368744177663"#,
    Some("bad.json: steps[0].size: 0x3fffffffffff: may be")
)]
#[case::no_room(r#""size":70368744177664"#, None)]
#[case::a_channel_that_some_have(
    r#""size":6,"channel":3"#,
    Some("bad.json: steps[0].size: 6: may be")
)]
#[case::a_channel_that_none_has(r#""size":6,"channel":4"#, None)]
#[case::a_core_that_none_has(r#""size":6,"core":8"#, None)]
#[case::host_memory_has_no_channel(
    r#""size":6,"host":true,"channel":4"#,
    Some("bad.json: steps[0].size: 6: may")
)]
#[case::host_memory_aligned(r#""size":6,"host":true,"align":4096"#, None)]
#[case::aligned(
    r#""size":6,"align":2147483647"#,
    Some("bad.json: steps[0].size: 6: may be")
)]
#[case::aligned_too_far(r#""size":6,"align":2147483648"#, None)]
fn only_what_must_be_refused_is_allocated(#[case] arguments: &str, #[case] wanted: Option<&str>) {
    let text = format!(
        r#"{{"format":"udma-program/1","name":"a","about":"","rules":["DEV-9"],"buffers":[],"rings":[],
            "steps":[{{"op":"alloc",{arguments},"code":-12,"rules":[]}}],"outcomes":[{{}}]}}"#
    );
    let error = read::parse(&text, "bad.json").err();
    let error = error.map(|error| error.to_string());
    match (&error, wanted) {
        (Some(error), Some(wanted)) => assert!(error.starts_with(wanted), "{error}"),
        _ => assert!(error.is_none() && wanted.is_none(), "{error:?}"),
    }
}

/// A batch of another number of queues than it has rings is one that must be refused (DEV-14).
#[rstest]
#[case::one_more(2, Some("bad.json: steps[0].count: 2 is not in 256 to 4294967295"))]
#[case::the_most_that_is_served(255, Some("bad.json: steps[0].count: 255 is not in"))]
#[case::refused(256, None)]
fn a_batch_of_another_number_is_refused(#[case] count: u32, #[case] wanted: Option<&str>) {
    let text = format!(
        r#"{{"format":"udma-program/1","name":"a","about":"","rules":["DEV-14"],"buffers":[],
            "rings":[{{"name":"q","tx":64,"rx":64,"init":false}}],
            "steps":[{{"op":"init_batch","rings":["q"],"count":{count},"code":-7,"rules":[]}}],"outcomes":[{{}}]}}"#
    );
    let error = read::parse(&text, "bad.json").err();
    let error = error.map(|error| error.to_string());
    match (&error, wanted) {
        (Some(error), Some(wanted)) => assert!(error.starts_with(wanted), "{error}"),
        _ => assert!(error.is_none() && wanted.is_none(), "{error:?}"),
    }
}

/// Generated programs give the interpreter's outcome on the model.
#[test]
fn generated_programs_hold() {
    let count = std::env::var("UDMA_GENERATED")
        .ok()
        .and_then(|text| text.parse().ok());
    for index in 0..count.unwrap_or(600) {
        let arch = Arch::ALL[index as usize % 3];
        let program = Plan::new(11, index, arch).program(arch).unwrap();
        let interpretation = interpreted(&program, arch);
        let judge = Judge::new(&program, &interpretation, Path::new(HERE)).unwrap();
        let ran = Backend::Model { seed: index }.run(source(&program), 0, &settings(arch));
        let Ok(Ran::Outcome(outcome, findings)) = ran else {
            panic!("{}: {ran:?}", program.name);
        };
        let found = judge.findings(&findings);
        assert!(found.is_empty(), "{}: {found:#?}", program.name);
        let verdict = judge.judge(&outcome);
        assert_eq!(verdict, Verdict::Outcome(0), "{}", read::render(&program));
    }
}
