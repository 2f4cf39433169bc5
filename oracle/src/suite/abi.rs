//! The ioctl surface (ABI).

use std::collections::BTreeMap;

use super::{Check, CheckError, Level, vectors};
use crate::cases::abi::{Abi, AbiCase, unknown};
use crate::cases::json;
use crate::golden::reader::{Refusal, read};
use crate::line::Line;
use crate::session::Session;

const RULES: &[&str] = &["ABI-1", "ABI-2", "ABI-3", "ABI-4"];

pub const CHECKS: &[Check] = &[
    Check {
        suite: "abi",
        name: "ioctl_abi",
        rules: RULES,
        level: Level::Recorded,
        run: recorded,
    },
    Check {
        suite: "abi",
        name: "numbers",
        rules: &["ABI-2", "ABI-3", "ABI-4"],
        level: Level::Quick,
        run: numbers,
    },
];

fn recorded(session: &mut Session) -> Result<(), CheckError> {
    vectors(session, "ioctl_abi")
}

/// Requests of the vectors by number; none where the run goes without.
fn recorded_requests(session: &Session) -> Result<BTreeMap<u32, String>, CheckError> {
    let mut requests = BTreeMap::new();
    let Some(corpora) = &session.options.corpora else {
        return Ok(requests);
    };
    read(&corpora.join("golden/ioctl_abi.json"), &mut |_, case| {
        if case.input["kind"] == "request" {
            let number = json::get32(&case.output, "request").map_err(Refusal::Case)?;
            let name = json::get_text(&case.input, "name").map_err(Refusal::Case)?;
            requests.insert(number, name.trim_start_matches("NEURON_IOCTL_").into());
        }
        Ok(())
    })?;
    Ok(requests)
}

/// Every recorded number with each bit turned, and each direction and call number with sizes that
/// others have: known if and only if it is recorded. The parts of a number in every combination of
/// edges. Queue types of both lines.
fn numbers(session: &mut Session) -> Result<(), CheckError> {
    let requests = recorded_requests(session)?;
    let attempt = |session: &mut Session, number: u32| {
        let answer = requests
            .get(&number)
            .map_or_else(unknown, |name| vec![name.clone()]);
        let origin = || format!("number {number:#010x}");
        let case = AbiCase::Number(number);
        session.try_case::<Abi>(&origin, &case, Some((Line::Kernel, &answer)));
    };
    for number in requests.keys() {
        (0..32).for_each(|bit| attempt(session, number ^ 1 << bit));
        for dir in 0..4 {
            for size in [0, 1, 4, 8, 16, 24, 40, 0x28, 0x3fff] {
                attempt(session, dir << 30 | size << 16 | number & 0xffff);
            }
        }
    }
    for dir in 0..4 {
        for size in (0..14).map(|bit| 1 << bit).chain([0, 8, 0x3fff]) {
            for nr in (0..8).map(|bit| 1 << bit).chain([0, 35, 255]) {
                let case = AbiCase::Compose(dir, size, nr);
                let origin = || format!("compose {dir} {size} {nr}");
                session.try_case::<Abi>(&origin, &case, None);
            }
        }
    }
    for what in ["queue type tx", "queue type rx", "queue type completion"] {
        let case = AbiCase::Constant(what.into());
        session.try_case::<Abi>(&|| what.into(), &case, None);
    }
    Ok(())
}
