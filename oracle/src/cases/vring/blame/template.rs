//! Which rule a wrong resolution breaks.

use super::{Wrong, listed};
use crate::cases::vring::{Change, Step};
use crate::law::vring::{LawVring, symbol, variable_at_fault};
use crate::subject::vring::VARIABLE_MISSING;
use crate::wire::{Ring, pointer};

impl Wrong<'_> {
    /// A resolution of `vring`, whose outcome or pointers are wrong.
    pub(super) fn resolve(&self, vring: &LawVring, addresses: &[u64]) -> &'static str {
        let (want, got) = (&self.want.outcome, &self.got.outcome);
        if want.code == got.code && want.code != 0 {
            let half_resolved = want.value == got.value;
            return if half_resolved {
                "TMPL-2"
            } else {
                self.reading(vring, addresses)
            };
        }
        if want.code != got.code {
            return self.reading(vring, addresses);
        }
        let pointers = Ring::BOTH.into_iter().any(|ring| self.desc(ring).is_some());
        if !pointers && want == got {
            return "TMPL-2"; // what is resolved is a template no more
        }
        // Other pointers, or another number of them, than the symbols say.
        "TMPL-1"
    }

    /// A wrong verdict: of the borders of the fields, or of what becomes of a variable.
    fn reading(&self, vring: &LawVring, addresses: &[u64]) -> &'static str {
        let got = &self.got.outcome;
        let max = vring.halves[0].max_var_id;
        let named = |variable: u32| {
            let symbols = vring.halves.iter().flat_map(|half| &half.descs);
            symbols
                .filter_map(|desc| symbol(pointer(desc)))
                .any(|(named, _)| named == variable)
        };
        if got.code != 0 {
            // A variable that a pointer does name, or one that none names.
            let borders = !named(got.value as u32) && got.value as u32 != max;
            return if borders { "TMPL-1" } else { "TMPL-2" };
        }
        // What had to be refused was resolved: to its offset alone, if the address was made up.
        let made_up = |ring: Ring| match self.desc(ring) {
            Some((index, _, Some(found))) => self
                .old(ring)
                .get(index as usize)
                .and_then(|old| symbol(pointer(old)))
                .is_some_and(|(variable, offset)| {
                    addresses.len() as u64 <= u64::from(variable) && pointer(&found) == offset
                }),
            _ => false,
        };
        let fault = variable_at_fault(vring, addresses);
        let missing = matches!(fault, Some((VARIABLE_MISSING, _)));
        if missing && Ring::BOTH.into_iter().any(made_up)
            || self.differs(|half| half.is_template.into())
        {
            return if self.reads_otherwise(vring) {
                "TMPL-1"
            } else {
                "TMPL-2"
            };
        }
        "TMPL-1"
    }

    /// Whether pointers are left that the rules call symbolic, or that had to change.
    fn reads_otherwise(&self, vring: &LawVring) -> bool {
        Ring::BOTH.into_iter().any(|ring| {
            let changed = listed(self.got, |change| match change {
                Change::Descs(of, first, descs) if *of == ring => Some((*first, descs)),
                _ => None,
            });
            let old = &vring.halves[ring as usize].descs;
            (0..).zip(old).any(|(index, desc)| {
                let new = changed.iter().find(|(at, _)| *at == index);
                symbol(pointer(desc)).is_some() != new.is_some()
            })
        })
    }

    pub(super) fn acquire(&self, addresses: &[u64]) -> &'static str {
        let Some(template) = self.before.template() else {
            return "TMPL-3";
        };
        let stats = |step: &Step| {
            step.changes.iter().find_map(|change| match change {
                Change::Cache(stats) => Some(*stats),
                _ => None,
            })
        };
        let found = |step: &Step| stats(step).map(|stats| (stats.hits, stats.misses));
        if found(self.want) != found(self.got) {
            return "TMPL-3";
        }
        if self.codes().0 != self.codes().1 {
            return self.reading(template, addresses);
        }
        if stats(self.want) != stats(self.got) {
            return "TMPL-3";
        }
        if self.want.outcome.code == 0 {
            "TMPL-1"
        } else {
            "TMPL-2"
        }
    }
}
