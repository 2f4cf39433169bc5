//! What a run of the suite says, as plain data: the renderers read nothing else.
//!
//! The model is filled in catalogue order and holds no time and no path unless the run was asked
//! for timings, so that two equal runs give equal files. Every structure refuses fields it does not
//! know: a misspelt field is an error, not a silent default.

use serde::{Deserialize, Serialize};

/// Version tag of the JSON form, checked when a report is read back.
pub const FORMAT: &str = "udma-report/1";

/// One run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Report {
    /// Always [`FORMAT`].
    pub format: String,
    /// Version of the suite that ran.
    pub suite_version: String,
    /// Seed of every generated case.
    pub seed: u64,
    /// Generated cases asked for per check (exhaustive checks ignore it).
    pub cases: u64,
    /// True once every check of the run has ended; a report of a killed run says false.
    pub complete: bool,
    /// Who was asked, in the order given.
    pub subjects: Vec<SubjectInfo>,
    /// Every selected rule, in catalogue order.
    pub rules: Vec<RuleReport>,
    /// What did not hold, in the order found.
    pub findings: Vec<Finding>,
    /// Milliseconds per suite; only under `--timings`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timings: Option<Vec<Timing>>,
}

/// An implementation that was asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SubjectInfo {
    /// Name as given to `--subject`.
    pub name: String,
    /// `kernel` or `hal`.
    pub line: String,
    /// Driver version whose behaviour a kernel-line subject is held to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub driver: Option<String>,
    /// What a reader of the run should know of it, a line each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// One rule and what came of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleReport {
    /// Identifier, `DESC-3`.
    pub id: String,
    /// Family, `DESC`.
    pub family: String,
    /// The requirement in one sentence or two.
    pub statement: String,
    /// What breaks when it is wrong.
    pub why: String,
    /// Where it comes from, with the evidence tag (`K`, `U`, `K27`).
    pub source: String,
    /// `c`, `h`, `m` or `l`; at `l` a difference is a note, not a failure.
    pub confidence: Confidence,
    /// Checks that try it, `suite/check`.
    pub checks: Vec<String>,
    /// Known divergences of this rule, in words.
    pub divergences: Vec<DivergenceNote>,
    /// One entry a subject, in the order of [`Report::subjects`].
    pub results: Vec<RuleResult>,
}

/// How sure a rule is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Confidence {
    /// Certain.
    C,
    /// High.
    H,
    /// Medium.
    M,
    /// Low: informative only.
    L,
}

/// A difference between the lines that is known and excused, and exactly what each side must do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DivergenceNote {
    /// Inputs it covers, in words: `size 0`.
    pub when: String,
    /// Outcome required of the kernel line.
    pub kernel: String,
    /// Outcome required of the HAL line.
    pub hal: String,
}

/// What one subject did under one rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleResult {
    /// Name of the subject.
    pub subject: String,
    /// Cases tried that this rule applies to.
    pub cases: u64,
    /// Cases inside a known divergence of this rule, each with the outcome required of this side.
    pub diverged: u64,
    /// Cases that did not hold (all of them, although only the first is shrunk and listed).
    pub failed: u64,
    /// The verdict.
    pub status: Status,
}

/// Verdict of one subject under one rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// Tried, and all of it held.
    Held,
    /// Something did not hold.
    Failed,
    /// Something differs under a rule of low confidence.
    Informative,
    /// The subject does not do this operation.
    NotOffered,
    /// The rule does not apply to the subject's line or version.
    NotApplicable,
    /// Selected, but nothing ran.
    Skipped,
}

/// Something that did not hold, shown by the smallest case found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    /// The rule it breaks.
    pub rule: String,
    /// The subject that broke it.
    pub subject: String,
    /// Check that found it, `suite/check`.
    pub check: String,
    /// True when the rule is at confidence `l`.
    pub informative: bool,
    /// Where the case came from: `golden/copy_pair#12`, `exhaustive#8812`, `regression/…`.
    pub origin: String,
    /// One line: what was asked and what is wrong with the answer.
    pub summary: String,
    /// The input, as in the vector format.
    pub input: serde_json::Value,
    /// The answer that the rule requires, line by line.
    pub expected: Vec<String>,
    /// The answer of the subject, line by line.
    pub actual: Vec<String>,
    /// Descriptors of the answer, field by field.
    pub descriptors: Vec<DescriptorDiff>,
}

/// Expected and actual bytes of one descriptor with its fields.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DescriptorDiff {
    /// `TX`, `RX`, `TX meta`, with an index in a packet: `TX[2]`.
    pub label: String,
    /// 32 hex digits in memory order, or none where the slot must be left as it was.
    pub expected: Option<String>,
    /// 32 hex digits in memory order, or none where the slot was left as it was.
    pub actual: Option<String>,
    /// Every field, word by word, high bits first.
    pub fields: Vec<FieldDiff>,
}

/// One field of one descriptor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FieldDiff {
    /// Word the bits lie in, by name: `word0`, `meta_ctrl`, `buf2_ptr_lo`, `pointer` (BITS-1).
    pub word: String,
    /// Number of that word's first 32-bit word in the descriptor, 0..3.
    pub index: u8,
    /// Name of the field.
    pub name: String,
    /// Highest bit (`pointer` has 64).
    pub high: u8,
    /// Lowest bit.
    pub low: u8,
    /// Value that the rule requires; none where nothing must be written.
    pub expected: Option<u64>,
    /// Value seen; none where nothing was written.
    pub actual: Option<u64>,
}

impl FieldDiff {
    /// Whether the two sides differ in this field.
    pub fn differs(&self) -> bool {
        self.expected != self.actual
    }
}

/// Time that one suite took.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Timing {
    /// Suite.
    pub suite: String,
    /// Milliseconds.
    pub millis: u64,
}

impl Report {
    /// Findings that fail the run: all but the informative ones.
    pub fn failures(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|finding| !finding.informative)
    }

    /// Whether anything was tried at all: a run of nothing must not pass.
    pub fn ran(&self) -> bool {
        self.rules
            .iter()
            .flat_map(|rule| &rule.results)
            .any(|result| result.cases > 0)
    }
}
