//! Ordering modes (BARR).

use super::{Check, CheckError, Level};
use crate::generate::modes;
use crate::session::Session;
use crate::sweep;

pub const CHECKS: &[Check] = &[Check {
    suite: "barrier",
    name: "modes",
    rules: &["BARR-1", "BARR-2", "BARR-3", "BARR-4", "BARR-5"],
    level: Level::Quick,
    run: every_mode,
}];

fn every_mode(session: &mut Session) -> Result<(), CheckError> {
    let cases = modes();
    sweep::list(session, "modes", &cases);
    Ok(())
}
