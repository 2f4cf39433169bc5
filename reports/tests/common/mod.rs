//! A sample report: every status, a pair finding with TX and RX differences, a slot that must be
//! left alone, a ring finding without descriptors, an informative note and a known divergence.

// Each test target uses a part of it.
#![allow(dead_code, unused_imports)]

mod descriptors;

pub use descriptors::{diff, rx_diff, tx_diff};
use serde_json::json;
use udma_report::model::{
    Confidence, DivergenceNote, FORMAT, Finding, Report, RuleReport, RuleResult, Status,
    SubjectInfo,
};

/// A rule with one result a subject: cases, diverged, failed, status.
pub fn rule(
    id: &str,
    statement: &str,
    confidence: Confidence,
    subjects: &[SubjectInfo],
    results: &[(u64, u64, u64, Status)],
) -> RuleReport {
    let family = id.split('-').next().unwrap_or(id);
    RuleReport {
        id: id.into(),
        family: family.into(),
        statement: statement.into(),
        why: format!(
            "The engine reads the {id} bits before anything else; a wrong one moves the wrong bytes."
        ),
        source: "K27, udma descriptor".into(),
        confidence,
        checks: vec![
            format!("{}/exhaustive", family.to_lowercase()),
            format!("{}/golden", family.to_lowercase()),
        ],
        divergences: Vec::new(),
        results: subjects
            .iter()
            .zip(results)
            .map(|(subject, &(cases, diverged, failed, status))| RuleResult {
                subject: subject.name.clone(),
                cases,
                diverged,
                failed,
                status,
            })
            .collect(),
    }
}

fn subjects() -> Vec<SubjectInfo> {
    let subject = |name: &str, line: &str, driver: Option<&str>| SubjectInfo {
        name: name.into(),
        line: line.into(),
        driver: driver.map(Into::into),
        notes: Vec::new(),
    };
    vec![
        subject("rust", "kernel", Some("2.27.4.0")),
        subject("c-kernel", "kernel", Some("2.26.5.0")),
        subject("c-hal", "hal", None),
    ]
}

fn report(subjects: Vec<SubjectInfo>, rules: Vec<RuleReport>, findings: Vec<Finding>) -> Report {
    Report {
        format: FORMAT.into(),
        suite_version: "0.1.0".into(),
        seed: 0x5eed_0001,
        cases: 65_536,
        complete: true,
        subjects,
        rules,
        findings,
        timings: None,
    }
}

/// A report in which everything held.
pub fn held() -> Report {
    use Confidence::C;
    let subjects = subjects();
    let all = [(65_536, 0, 0, Status::Held); 3];
    let rules = vec![
        rule(
            "DESC-1",
            "A descriptor is 16 bytes, little-endian.",
            C,
            &subjects,
            &all,
        ),
        rule(
            "DESC-3",
            "Length is word0 bits 15:0; 0 means 65536.",
            C,
            &subjects,
            &all,
        ),
        rule(
            "META-1",
            "A plain copy starts from meta_ctrl 0x01080003.",
            C,
            &subjects,
            &[(524_288, 0, 0, Status::Held); 3],
        ),
    ];
    report(subjects, rules, Vec::new())
}

/// A report with every kind of result and finding.
pub fn sample() -> Report {
    use Confidence::{C, H, L, M};
    use Status::{Failed, Held, Informative, NotApplicable, NotOffered, Skipped};
    let subjects = subjects();
    let held = (65_536, 0, 0, Held);
    let mut rules = vec![
        rule(
            "DESC-1",
            "A descriptor is 16 bytes, 16-byte aligned, little-endian: word0 `len_ctrl` at 0, word1 at 4, 64-bit pointer at 8.",
            C,
            &subjects,
            &[held; 3],
        ),
        rule(
            "DESC-5",
            "A finished descriptor is published as one 16-byte store/copy from a scratch value; a rejected request leaves the destination slot untouched.",
            C,
            &subjects,
            &[held, (65_536, 0, 12, Failed), held],
        ),
        rule(
            "META-1",
            "Every plain copy starts from `meta_ctrl = 0x01080003`: is_last_block=1, is_first_block=1, copy_source_data=1, ssmae_op=0b010, all else 0.",
            C,
            &subjects,
            &[(38_535_168, 0, 0, Held); 3],
        ),
        rule(
            "BARR-4",
            "The kernel line does not check the architecture for SOW. The HAL line refuses SOW on SUNDA.",
            H,
            &subjects,
            &[
                (0, 0, 0, NotApplicable),
                (0, 0, 0, NotApplicable),
                (16_384, 0, 0, Held),
            ],
        ),
        rule(
            "BLDR-1",
            "TX word0 = FIRST | LAST | (DMB if asked) | ring_id<<24 | (size & 0xffff), with size 65536 encoded as 0. word1 = meta_ctrl, pointer = src.",
            C,
            &subjects,
            &[
                held,
                (65_536, 0, 65_536, Failed),
                (65_536, 0, 32_768, Failed),
            ],
        ),
        rule(
            "BLDR-5",
            "size 0, kernel line: accepted, and encodes exactly as 65536 does. HAL line: rejected.",
            H,
            &subjects,
            &[
                (4_096, 4_096, 0, Held),
                (4_096, 4_096, 0, Held),
                (4_096, 4_096, 0, Held),
            ],
        ),
        rule(
            "BLDR-11",
            "A CME packet prepends one meta descriptor whose word0 is `(index<<24) | 0x04800000`.",
            M,
            &subjects,
            &[
                (0, 0, 0, NotOffered),
                (0, 0, 0, NotOffered),
                (512, 0, 0, Held),
            ],
        ),
        rule(
            "RING-7",
            "The cursor wraps at the ring size and flips the phase at each wrap.",
            C,
            &subjects,
            &[held, held, (65_536, 0, 3, Failed)],
        ),
        rule(
            "RING-9",
            "A ring of a foreign process is mapped read-only.",
            M,
            &subjects,
            &[(0, 0, 0, Skipped); 3],
        ),
        rule(
            "RING-12",
            "A doorbell of zero descriptors is not rung.",
            M,
            &subjects,
            &[(0, 0, 0, NotOffered); 3],
        ),
        rule(
            "MODL-3",
            "The completion marker of a packet is written after its last data byte.",
            L,
            &subjects,
            &[held, held, (65_536, 0, 7, Informative)],
        ),
    ];
    rules[5].divergences = vec![DivergenceNote {
        when: "size 0".into(),
        kernel: "accepted; both descriptors carry length 0, which moves 64 KiB".into(),
        hal: "refused with -1; neither slot written".into(),
    }];
    let findings = findings();
    report(subjects, rules, findings)
}

fn findings() -> Vec<Finding> {
    let pair = json!({
        "op": "copy_pair", "arch": "CAYMAN", "src": "0x0000000f80001000", "dst": "0x0000001000002000",
        "size": 64, "tx_ring_id": 2, "rx_ring_id": 1, "mode": 0, "dst_int": true,
    });
    let finding = |rule: &str, subject: &str, check: &str, origin: &str, summary: &str| Finding {
        rule: rule.into(),
        subject: subject.into(),
        check: check.into(),
        informative: false,
        origin: origin.into(),
        summary: summary.into(),
        input: pair.clone(),
        expected: vec!["accepted".into(), "TX and RX written".into()],
        actual: vec!["accepted".into(), "TX and RX written".into()],
        descriptors: Vec::new(),
    };
    vec![
        Finding {
            descriptors: vec![tx_diff(), rx_diff()],
            ..finding(
                "BLDR-1",
                "c-kernel",
                "bldr/exhaustive",
                "golden/copy_pair#12",
                "a copy of 64 bytes without ordering: LAST is missing, the TX phase is 1 instead of 2, and a write barrier was not asked for",
            )
        },
        Finding {
            expected: vec!["refused: -22".into(), "TX slot untouched".into()],
            actual: vec!["refused: -22".into(), "TX slot written".into()],
            descriptors: vec![diff(
                "TX",
                true,
                None,
                Some([0x0e00_0040, 0x0108_0003, 0x8000_1000, 0xf]),
            )],
            ..finding(
                "DESC-5",
                "c-kernel",
                "desc/golden",
                "exhaustive#8812",
                "mode 7 is refused, but the slot was written",
            )
        },
        Finding {
            expected: vec!["accepted".into(), "RX written".into()],
            actual: vec!["refused: -1".into(), "RX untouched".into()],
            descriptors: vec![diff(
                "RX",
                false,
                Some([0x1100_0040, 0, 0x2000, 0x10]),
                None,
            )],
            ..finding(
                "BLDR-1",
                "c-hal",
                "bldr/golden",
                "golden/copy_pair#19",
                "a plain copy on CAYMAN was refused",
            )
        },
        Finding {
            input: json!({ "op": "ring_advance", "size": 64, "head": 63, "phase": 1, "by": 1 }),
            expected: vec!["head 0".into(), "phase 2".into()],
            actual: vec!["head 0".into(), "phase 1".into()],
            ..finding(
                "RING-7",
                "c-hal",
                "ring/exhaustive",
                "regression/phase-at-wrap.json",
                "the phase stays 1 when the cursor wraps",
            )
        },
        Finding {
            informative: true,
            input: json!({ "op": "engine", "seed": 7 }),
            expected: vec!["marker after data".into()],
            actual: vec!["marker before the last 64 bytes".into()],
            ..finding(
                "MODL-3",
                "c-hal",
                "modl/schedule",
                "generated#41",
                "the marker may be seen before the data",
            )
        },
    ]
}
