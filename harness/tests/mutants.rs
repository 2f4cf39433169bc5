//! Every planted wrong belief is caught by the checks, and the first finding names a rule of its
//! set. Builds with the `mutants` feature alone.
#![cfg(feature = "mutants")]

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use udma_harness::mutants::{Scope, attempt, first_finding};
use udma_oracle::catalogue::Catalogue;
use udma_oracle::mutants::all;

/// The choice of a belief is global: one test tries them in turn. Tests are processes of their
/// own, so that the shards run side by side.
fn shard(index: usize, of: usize) {
    let catalogue = Catalogue::load();
    let corpora = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpora");
    let mut missed = Vec::new();
    let mut tried = 0;
    let mut mutants = all();
    // A plain run puts each to the families that may be blamed; a deep one to every check.
    let scope = if std::env::var_os("UDMA_DEEP").is_some() {
        Scope::Everything
    } else {
        Scope::Families
    };
    let wanted = wanted();
    mutants.retain(|mutant| {
        wanted
            .as_ref()
            .is_none_or(|numbers| numbers.contains(&mutant.number))
    });
    for mutant in mutants.iter().skip(index).step_by(of) {
        for place in &mutant.planted {
            tried += 1;
            let trial =
                attempt(&catalogue, mutant, place, scope, &corpora).expect("vectors can be read");
            if !trial.is_caught() {
                missed.push(trial.line());
            }
        }
    }
    assert!(tried > 0 || wanted.is_some());
    assert!(missed.is_empty(), "{}", missed.concat());
}

/// The numbers in `UDMA_MUTANTS`, as `101..199` (both ends are in it).
fn wanted() -> Option<std::ops::RangeInclusive<u32>> {
    let text = std::env::var("UDMA_MUTANTS").ok()?;
    let (first, last) = text.split_once("..").unwrap_or((&text, &text));
    let number = |text: &str| {
        text.parse()
            .expect("UDMA_MUTANTS is FIRST..LAST or one number")
    };
    Some(number(first)..=number(last))
}

#[test]
fn mutants_of_the_first_quarter_are_caught() {
    shard(0, 4);
}

#[test]
fn mutants_of_the_second_quarter_are_caught() {
    shard(1, 4);
}

#[test]
fn mutants_of_the_third_quarter_are_caught() {
    shard(2, 4);
}

#[test]
fn mutants_of_the_fourth_quarter_are_caught() {
    shard(3, 4);
}

/// With nothing planted the same run finds nothing.
#[test]
fn no_mutant_no_finding() {
    let catalogue = Catalogue::load();
    let mut nothing = all().swap_remove(0);
    nothing.number = 0;
    for place in ["rust", "c-kernel", "c-hal"] {
        let found =
            first_finding(&catalogue, &nothing, place, Scope::Everything, None).expect("a run");
        assert!(found.is_none(), "{place}: {found:?}");
    }
}

/// A fuzzer's crash becomes a kept case, once for all inputs that show the same, and `udma check`
/// replays it.
#[test]
fn a_campaign_keeps_what_it_finds_and_check_replays_it() {
    /// Two inputs that show the same, as libFuzzer leaves them.
    const STAND_IN: &str = r#"#!/bin/sh
for argument; do
    case $argument in -artifact_prefix=*) wrong=${argument#*=} ;; esac
done
printf 'abcdefghijklmnop\000' >"${wrong}crash-1"
printf 'bcdefghijklmnopq\000' >"${wrong}crash-2"
printf 'stat::number_of_executed_units: 10\n' >&2
exit 77
"#;
    let corpora = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpora");
    let root = tempfile::tempdir().unwrap();
    let own = root.path().join("corpora");
    std::fs::create_dir(&own).unwrap();
    std::os::unix::fs::symlink(corpora.join("golden"), own.join("golden")).unwrap();
    let program = root.path().join("desc_roundtrip");
    std::fs::write(&program, STAND_IN).unwrap();
    std::fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).unwrap();
    let udma = |arguments: &[&str]| {
        let out = Command::new(env!("CARGO_BIN_EXE_udma"))
            .args(arguments)
            .arg("--corpora")
            .arg(&own)
            .env("UDMA_MUTANT", "12")
            .env("UDMA_MUTANT_PLACE", "rust")
            .current_dir(root.path())
            .output()
            .unwrap();
        let text = [out.stdout, out.stderr].concat();
        (out.status.code(), String::from_utf8(text).unwrap())
    };
    let campaign = [
        "campaign",
        "desc_roundtrip",
        "--programs",
        ".",
        "--runs",
        "10",
        "--workers",
        "1",
    ];
    let (code, said) = udma(&campaign);
    assert_eq!(code, Some(1), "{said}");
    let kept: Vec<String> = std::fs::read_dir(own.join("regressions"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    // By both lines of the Rust implementation, each with the smallest case.
    assert!((1..=2).contains(&kept.len()), "{kept:?}");
    let state = std::fs::read_to_string(root.path().join("campaign/campaign.json")).unwrap();
    let state: serde_json::Value = serde_json::from_str(&state).unwrap();
    let findings = state["findings"].as_array().unwrap();
    assert!(!findings.is_empty());
    for finding in findings {
        assert_eq!(finding["times"], 2, "{finding}");
    }
    let check = |mutant| {
        let arguments = ["--mutant", mutant, "--no-save", "--cases", "1"];
        let rule = ["check", "--rule", "DESC-1"];
        udma(&[&rule[..], &arguments].concat())
    };
    let (code, said) = check("12");
    assert_eq!(code, Some(1), "{said}");
    let name = kept[0].trim_end_matches(".json");
    assert!(said.contains(name), "{name}: {said}");
    let (code, said) = check("0");
    assert_eq!(code, Some(0), "{said}");
}

/// The inputs of a few beliefs are found again as `corpora/beliefs.jsonl` has them.
#[test]
fn the_input_of_a_mutant_is_found_again() {
    let corpora = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpora");
    let kept = std::fs::read_to_string(corpora.join("beliefs.jsonl")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("inputs.jsonl");
    for number in [1, 84, 320] {
        let out = Command::new(env!("CARGO_BIN_EXE_udma"))
            .args(["mutants", "--number", &number.to_string()])
            .arg("--inputs")
            .arg(&file)
            .arg("--corpora")
            .arg(&corpora)
            .output()
            .unwrap();
        assert!(out.status.success(), "{out:?}");
        let rows = |text: &str| -> Vec<serde_json::Value> {
            let rows = text.lines().map(|row| serde_json::from_str(row).unwrap());
            rows.filter(|row: &serde_json::Value| row["belief"] == number)
                .collect()
        };
        let found = rows(&std::fs::read_to_string(&file).unwrap());
        assert!(!found.is_empty());
        assert_eq!(found, rows(&kept), "{number}");
    }
}
