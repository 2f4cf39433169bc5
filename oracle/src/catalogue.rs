//! The rule catalogue: `rules/*.toml`, compiled in.

use globset::GlobBuilder;
use serde::Deserialize;
use udma_report::model::Confidence;

use crate::line::Line;

/// One numbered requirement.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// Identifier, `DESC-3`.
    pub id: String,
    /// The requirement.
    pub statement: String,
    /// What breaks when it is wrong.
    pub why: String,
    /// File of the specification.
    pub source: String,
    /// Evidence tags.
    pub evidence: String,
    /// How sure it is.
    pub confidence: Confidence,
    /// Lines it speaks about.
    pub lines: Vec<String>,
    /// Known divergences between the lines.
    #[serde(default)]
    pub divergence: Vec<Divergence>,
}

/// A known divergence.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Divergence {
    /// Inputs it covers.
    pub when: String,
    /// Outcome required of the kernel line.
    pub kernel: String,
    /// Outcome required of the HAL line.
    pub hal: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    rule: Vec<Rule>,
}

/// `DESC` of `DESC-3`.
pub fn family(rule: &str) -> &str {
    rule.split_once('-').map_or(rule, |(family, _)| family)
}

impl Rule {
    /// `DESC` of `DESC-3`.
    pub fn family(&self) -> &str {
        family(&self.id)
    }

    /// Whether a difference is a note, not a failure.
    pub fn informative(&self) -> bool {
        self.confidence == Confidence::L
    }

    /// Whether the rule speaks about a line.
    pub fn applies_to(&self, line: Line) -> bool {
        self.lines.iter().any(|name| name == line.name())
    }
}

/// Every rule, by family in the order of the specification.
#[derive(Clone, Debug)]
pub struct Catalogue {
    /// The rules.
    pub rules: Vec<Rule>,
}

macro_rules! files {
    ($($name:literal)*) => {
        [$(($name, include_str!(concat!("../rules/", $name, ".toml")))),*]
    };
}

/// The families' files in the order of the specification.
const FILES: &[(&str, &str)] = &files![
    "desc" "bits" "meta" "barr" "bldr" "opc" "cce" "trn" "crc" "ring" "swq" "trig" "mark" "btch" "poll"
    "ack" "asyn" "rtry" "mset" "zc" "vrng" "xfer" "pack" "edit" "tmpl" "dump" "prng" "regs" "qini"
    "eini" "iofc" "bar0" "abi" "modl"
];

/// A `--rule` pattern that names nothing.
#[derive(Debug, thiserror::Error)]
pub enum SelectError {
    /// Not a glob.
    #[error("rule pattern {pattern:?}: {source}")]
    Pattern {
        /// The pattern.
        pattern: String,
        /// What is wrong with it.
        source: globset::Error,
    },
    /// Matches no rule.
    #[error("rule pattern {pattern:?} matches none of the {count} rules")]
    Nothing {
        /// The pattern.
        pattern: String,
        /// Rules there are.
        count: usize,
    },
}

/// The rules in a file of the build.
///
/// # Panics
/// If it is not a rule file; tests load each.
pub fn rules_in(name: &str, text: &str) -> Vec<Rule> {
    toml::from_str::<File>(text)
        .unwrap_or_else(|error| panic!("rules/{name}.toml: {error}"))
        .rule
}

impl Catalogue {
    /// The compiled-in catalogue.
    ///
    /// # Panics
    /// If a file of the build is not a rule file; a test keeps that from happening.
    pub fn load() -> Self {
        let rules = FILES
            .iter()
            .flat_map(|(name, text)| rules_in(name, text))
            .collect();
        Self { rules }
    }

    /// Index of a rule.
    pub fn index(&self, id: &str) -> Option<usize> {
        self.rules.iter().position(|rule| rule.id == id)
    }

    /// Families in order.
    pub fn families(&self) -> Vec<&str> {
        let mut families: Vec<&str> = Vec::new();
        for rule in &self.rules {
            if families.last() != Some(&rule.family()) {
                families.push(rule.family());
            }
        }
        families
    }

    /// Which rules a list of globs selects; all for an empty list.
    ///
    /// # Errors
    /// A pattern that is no glob, or that matches nothing.
    pub fn select(&self, patterns: &[String]) -> Result<Vec<bool>, SelectError> {
        let mut selected = vec![patterns.is_empty(); self.rules.len()];
        for pattern in patterns {
            let glob = GlobBuilder::new(pattern)
                .case_insensitive(true)
                .build()
                .map_err(|source| SelectError::Pattern {
                    pattern: pattern.clone(),
                    source,
                })?
                .compile_matcher();
            let mut any = false;
            for (rule, selected) in self.rules.iter().zip(&mut selected) {
                if glob.is_match(&rule.id) {
                    *selected = true;
                    any = true;
                }
            }
            if !any {
                let count = self.rules.len();
                return Err(SelectError::Nothing {
                    pattern: pattern.clone(),
                    count,
                });
            }
        }
        Ok(selected)
    }
}
