//! `udma states`: the ring cycle searched completely, or until a wrong belief is found out.

use std::process::ExitCode;

use udma_oracle::state::{Belief, Cycle, Search, Shape, search};
use udma_report::text::thousands;

use crate::cli::{StatesArgs, print};
use crate::failure::{FINDINGS, Failure};

/// Fewer states than this are no search of the whole.
const FEWEST: u64 = 1_000_000;

/// Runs the command.
///
/// # Errors
/// An unknown belief, or standard output is gone.
pub fn run(args: &StatesArgs) -> Result<ExitCode, Failure> {
    let belief: Option<Belief> = match &args.belief {
        None => None,
        Some(name) => Some(name.parse().map_err(|error| {
            let error: udma_oracle::state::UnknownBelief = error;
            Failure::Input(error.to_string())
        })?),
    };
    let whole = belief.is_none() && !args.small;
    let shape = match belief {
        Some(belief) => belief.shape(),
        None if args.small => Shape::SMALL,
        None => Shape::FULL,
    };
    let found = search(&Cycle::new(shape, belief));
    print(&text(&found))?;
    let holds = found.holds() && (!whole || found.unique >= FEWEST);
    Ok(if holds {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(FINDINGS)
    })
}

fn text(found: &Search) -> String {
    let mut text = format!(
        "{} states, {} steps between them, {} steps to the farthest\n",
        thousands(found.unique),
        thousands(found.generated),
        thousands(found.depth)
    );
    if let Some((_, timeline)) = &found.broken {
        return format!("{text}\n{}", timeline.text());
    }
    for property in &found.held {
        text += &format!("  holds    {property}\n");
    }
    if !found.ended {
        text += "  given up: more states than a ring of four laps has\n";
    }
    for property in &found.missed {
        text += &format!("  missed   {property}: never reached\n");
    }
    text
}
