//! Cases that are put whole to a subject elsewhere: what a case sees in thousands of accesses is one
//! message, for the machine that it runs on is there too.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::cases::{cycle, vring};
use crate::family::Family;
use crate::subject::Subject;

/// A family whose cases can be put whole.
pub trait Whole: Family {
    /// What is seen of a subject.
    type Seen: Serialize + DeserializeOwned;

    /// Looks at a subject that is here; none when the operation is not offered.
    fn see(subject: &dyn Subject, case: &Self::Case) -> Option<Self::Seen>;
}

/// Looks at a subject wherever it is.
pub fn see<F: Whole>(subject: &dyn Subject, case: &F::Case) -> Option<F::Seen> {
    let Some(elsewhere) = subject.elsewhere() else {
        return F::see(subject, case);
    };
    let mut seen = None;
    elsewhere.whole(F::NAME, F::to_json(case), &mut |answer| {
        seen = serde_json::from_slice(answer).map_err(|error| error.to_string())?;
        Ok(())
    })?;
    seen
}

/// The other side: what is seen of a subject that is here; none when the operation is not offered.
///
/// # Errors
/// A family that is not known, and what is wrong with a case.
pub fn answer(
    subject: &dyn Subject,
    family: &str,
    case: &Value,
) -> Result<Option<Vec<u8>>, String> {
    let answer = match family {
        cycle::Program::NAME => answer_as::<cycle::Program>,
        cycle::Seeded::NAME => answer_as::<cycle::Seeded>,
        cycle::bare::Bare::NAME => answer_as::<cycle::bare::Bare>,
        vring::Vring::NAME => answer_as::<vring::Vring>,
        vring::Run::NAME => answer_as::<vring::Run>,
        vring::Layout::NAME => answer_as::<vring::Layout>,
        vring::Set::NAME => answer_as::<vring::Set>,
        vring::RingLimit::NAME => answer_as::<vring::RingLimit>,
        other => return Err(format!("family {other:?} is not put whole")),
    };
    answer(subject, case)
}

fn answer_as<F: Whole>(subject: &dyn Subject, case: &Value) -> Result<Option<Vec<u8>>, String> {
    let case = F::from_json(case)?;
    let seen = F::see(subject, &case);
    seen.map(|seen| serde_json::to_vec(&seen))
        .transpose()
        .map_err(|error| error.to_string())
}

/// Reads what an engine or a machine found: a rule that some check names, and a text.
pub(crate) fn found<'de, D: Deserializer<'de>>(
    from: D,
) -> Result<Vec<(&'static str, String)>, D::Error> {
    static NAMED: LazyLock<BTreeSet<&str>> = LazyLock::new(|| {
        let checks = crate::suite::checks();
        checks
            .iter()
            .flat_map(|check| check.rules)
            .copied()
            .collect()
    });
    let found = Vec::<(String, String)>::deserialize(from)?;
    let known = |(rule, text): (String, String)| match NAMED.get(rule.as_str()) {
        Some(rule) => Ok((*rule, text)),
        None => Err(D::Error::custom(format!("rule {rule:?} is not known"))),
    };
    found.into_iter().map(known).collect()
}
