//! Counts by rule and subject.

/// Counts of one rule on one subject.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Cases tried that the rule applies to.
    pub cases: u64,
    /// Of these, inside a known divergence and with the outcome required of the side.
    pub diverged: u64,
    /// Of these, broken.
    pub failed: u64,
    /// The operation was asked for and not offered.
    pub not_offered: bool,
}

impl Count {
    /// Counts a case that broke the rule, `is_counted` if it is counted as one that the rule is about:
    /// a rule may be broken by a case that it says nothing else about.
    pub fn broke(&mut self, is_counted: bool) {
        self.cases += u64::from(!is_counted);
        self.failed += 1;
    }

    fn add(&mut self, other: &Self) {
        self.cases += other.cases;
        self.diverged += other.diverged;
        self.failed += other.failed;
        self.not_offered |= other.not_offered;
    }
}

/// Counts of every rule on every subject.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    subjects: usize,
    counts: Vec<Count>,
}

impl Tally {
    /// All zero.
    pub fn new(rules: usize, subjects: usize) -> Self {
        Self {
            subjects,
            counts: vec![Count::default(); rules * subjects],
        }
    }

    /// The count of a rule on a subject, both by index.
    pub fn at(&mut self, rule: usize, subject: usize) -> &mut Count {
        &mut self.counts[rule * self.subjects + subject]
    }

    /// The same, read only.
    pub fn get(&self, rule: usize, subject: usize) -> &Count {
        &self.counts[rule * self.subjects + subject]
    }

    /// Adds another tally of the same shape.
    pub fn add(&mut self, other: &Self) {
        for (count, more) in self.counts.iter_mut().zip(&other.counts) {
            count.add(more);
        }
    }
}
