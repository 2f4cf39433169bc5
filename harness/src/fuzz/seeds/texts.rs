//! Seeds of the targets that read texts.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Value, json};
use udma_oracle::golden::{self, reader};
use udma_report::model::{
    Confidence, Finding, Report, RuleReport, RuleResult, Status, SubjectInfo,
};
use udma_report::{merge, model};

use super::{Chosen, recorded};
use crate::failure::Failure;
use crate::program::{Op, Program, read};

/// Larger texts are no seeds: a fuzzer turns them over slowly.
const MOST_TEXT: usize = 6_000;

/// Programs, the shortest first, each of which has an operation, tag or kind of fill that those in
/// front of it have not.
pub(super) fn programs(corpora: &Path) -> Result<Vec<Vec<u8>>, Failure> {
    let mut texts = Vec::new();
    for file in read::files(&[corpora.join("programs")])? {
        let program = read::read(&file)?;
        let text = read::render(&program);
        if text.len() <= MOST_TEXT {
            texts.push((text.len(), text, program));
        }
    }
    texts.sort_by(|a, b| (a.0, &a.1).cmp(&(b.0, &b.1)));
    let mut seen = BTreeSet::new();
    let mut chosen = Vec::new();
    for (_, text, program) in texts {
        let before = seen.len();
        seen.extend(shown(&program));
        if seen.len() > before {
            chosen.push(text.into_bytes());
        }
    }
    Ok(chosen)
}

fn shown(program: &Program) -> Vec<String> {
    let mut shown: Vec<String> = Vec::new();
    shown.extend(program.tags.iter().map(|tag| format!("{tag:?}")));
    let kind = |text: String| {
        text.split([' ', '(', '{'])
            .next()
            .unwrap_or_default()
            .to_string()
    };
    shown.extend(
        program
            .buffers
            .iter()
            .map(|buffer| kind(format!("{:?}", buffer.fill))),
    );
    fn operations(steps: &[crate::program::Step], shown: &mut Vec<String>) {
        for step in steps {
            shown.push(format!("{} {}", step.op.name(), step.code));
            if let Op::Repeat { steps, .. } = &step.op {
                operations(steps, shown);
            }
        }
    }
    operations(&program.steps, &mut shown);
    shown
}

/// Of every recorded suite the shortest case of each form, a file each.
pub(super) fn vectors(corpora: &Path) -> Result<Vec<Vec<u8>>, Failure> {
    let keys = |value: &Value| -> Vec<String> {
        value
            .as_object()
            .map(|object| object.keys().cloned().collect())
            .unwrap_or_default()
    };
    let mut chosen = Chosen::default();
    for suite in golden::SUITES {
        recorded(corpora, suite, |case| {
            let kind = case.input.get("kind").or_else(|| case.input.get("op"));
            let shows = format!(
                "{suite} {:?} {:?} {kind:?}",
                keys(&case.input),
                keys(&case.output)
            );
            let text = json!({
                "format": reader::FORMAT,
                "suite": suite,
                "cases": [{"id": case.id, "in": case.input, "out": case.output}],
            });
            // Before the cases, whatever the order of keys is otherwise.
            let text = format!(
                "{{\"format\":{},\"suite\":{},\"cases\":{}}}",
                text["format"], text["suite"], text["cases"]
            );
            if text.len() <= MOST_TEXT {
                chosen.offer(shows, text.into_bytes());
            }
            Ok(())
        })?;
    }
    Ok(chosen.inputs())
}

/// Two parts of a run of one rule on one subject.
pub(super) fn parts() -> Vec<u8> {
    let part = |index: u64, failed: u64| {
        let findings = (0..failed).map(|_| Finding {
            rule: "DESC-3".into(),
            subject: "s".into(),
            check: "descriptor/random".into(),
            informative: false,
            origin: "random#7".into(),
            summary: String::new(),
            input: json!({}),
            expected: vec!["a".into()],
            actual: vec!["b".into()],
            descriptors: Vec::new(),
        });
        merge::Shard {
            format: merge::FORMAT.into(),
            index,
            of: 2,
            order: vec![[1, 7]; failed as usize],
            report: Report {
                format: model::FORMAT.into(),
                suite_version: "1".into(),
                seed: 1,
                cases: 10,
                complete: true,
                subjects: vec![SubjectInfo {
                    name: "s".into(),
                    line: "hal".into(),
                    driver: None,
                    notes: Vec::new(),
                }],
                rules: vec![RuleReport {
                    id: "DESC-3".into(),
                    family: "DESC".into(),
                    statement: String::new(),
                    why: String::new(),
                    source: String::new(),
                    confidence: Confidence::C,
                    checks: Vec::new(),
                    divergences: Vec::new(),
                    results: vec![RuleResult {
                        subject: "s".into(),
                        cases: 5,
                        diverged: 0,
                        failed,
                        status: if failed > 0 {
                            Status::Failed
                        } else {
                            Status::Held
                        },
                    }],
                }],
                findings: findings.collect(),
                timings: None,
            },
        }
        .render()
    };
    let (one, other) = (part(1, 0), part(2, 1));
    [one.trim_end(), other.trim_end()].join("\0").into_bytes()
}
