//! What a subject offers. An operation is offered or it is not: one that is answered in one case and
//! "not offered" in another would leave out of the rules whatever it cannot do.

use serde_json::Value;

use super::Session;
use crate::family::{Family, shrink};

/// What one subject says to the cases of one family.
#[derive(Default)]
pub(super) struct Offer {
    /// Operations of the cases that were answered (see [`Family::operations`]).
    answered: u64,
    /// The first case of each set of operations that was not offered.
    refused: Vec<Refused>,
}

struct Refused {
    operations: u64,
    rule: usize,
    origin: String,
    case: Value,
}

/// What a subject says of such a case.
const NOT_OFFERED: &str = "not offered, which other cases of the same operations are";

impl Session<'_> {
    fn offer<F: Family>(&mut self, subject: usize) -> &mut Offer {
        let offers = &mut self.offers[subject];
        let known = offers.iter().position(|(family, _)| *family == F::NAME);
        let at = known.unwrap_or_else(|| {
            offers.push((F::NAME, Offer::default()));
            offers.len() - 1
        });
        &mut offers[at].1
    }

    /// Notes that a case with these operations was answered; what was not offered before and should
    /// have been is a finding now.
    pub fn answered<F: Family>(&mut self, subject: usize, operations: u64) {
        let offer = self.offer::<F>(subject);
        if offer.answered | operations == offer.answered {
            return;
        }
        offer.answered |= operations;
        let answered = offer.answered;
        let told: Vec<Refused> = offer
            .refused
            .extract_if(.., |refused| refused.operations & !answered == 0)
            .collect();
        for refused in told {
            if let Ok(case) = F::from_json(&refused.case) {
                self.tell::<F>(subject, &|| refused.origin.clone(), &case, refused.rule);
            }
        }
    }

    /// A case that the subject should have answered if it offers its operations.
    pub(super) fn refused<F: Family>(
        &mut self,
        subject: usize,
        origin: &dyn Fn() -> String,
        case: &F::Case,
        rule: usize,
    ) {
        let operations = F::operations(case);
        if operations == 0 {
            return;
        }
        let offer = self.offer::<F>(subject);
        if operations & !offer.answered == 0 {
            self.tell::<F>(subject, origin, case, rule);
        } else if offer
            .refused
            .iter()
            .all(|refused| refused.operations != operations)
        {
            offer.refused.push(Refused {
                operations,
                rule,
                origin: origin(),
                case: F::to_json(case),
            });
        }
    }

    /// Makes such a case a finding, unless the subject already has one under the rule.
    fn tell<F: Family>(
        &mut self,
        subject: usize,
        origin: &dyn Fn() -> String,
        case: &F::Case,
        rule: usize,
    ) {
        if !self.left_unanswered(subject, rule) {
            return;
        }
        let subjects = self.subjects;
        let asked = subjects[subject].as_ref();
        let line = asked.line();
        let answered = self.offer::<F>(subject).answered;
        let smallest = shrink::<F>(case, |case| {
            let operations = F::operations(case);
            let first = F::rules(line, case)
                .into_iter()
                .find_map(|(rule, _)| self.asked_of(rule, subject));
            operations != 0
                && operations & !answered == 0
                && first == Some(rule)
                && self.may_be_put::<F>(subject, case)
                && F::required(line, case).is_some()
                && F::ask(asked, case).is_none()
        });
        // It may have died of another case on the way, which is not the next one's.
        let _ = asked.death();
        self.unanswered::<F>(subject, origin, &smallest, rule, NOT_OFFERED.into());
        let id = self.catalogue.rules[rule].id.clone();
        self.keep::<F>(&id, Vec::new(), case, &smallest);
    }
}
