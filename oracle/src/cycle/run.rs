//! Runs a subject on the machine.

use super::machine::Machine;
use super::trace::Trace;
use super::{Run, Step, WARM_UP};
use crate::model::Memory;
use crate::subject::Subject;
use crate::subject::cycle::{Transfer, Transfers};

/// Most contexts whose states are told.
const MOST_STATES: u32 = 16;
/// Most completions that are read at a time.
const MOST_POPPED: usize = 4096;

/// What a subject does in a run, on the prompt engine or on a seeded one. The memories are what is there
/// beforehand and what must be there at the end.
pub fn observe(
    subject: &dyn Subject,
    run: &Run,
    seed: Option<u64>,
    [before, expected]: [&Memory; 2],
) -> Option<Trace> {
    let cycle = subject.cycle()?;
    let machine = Machine::new(run, before.clone(), seed);
    let mut transfers = cycle.transfers(&run.setup, &machine)?;
    let warm = warm_up(run, transfers.as_mut())?;
    machine.begin();
    let mut results = Vec::with_capacity(run.steps.len());
    let mut capacity = 0;
    for step in &run.steps {
        machine.ordered(None);
        results.push(take(step, transfers.as_mut(), &machine, &mut capacity)?);
        machine.step_ends();
    }
    let cursors = transfers.cursors()?;
    drop(transfers);
    let mut trace = machine.finish(results, cursors, expected);
    if !warm {
        let text = "a warm-up copy failed".to_string();
        trace.engine.push(("BTCH-6", text));
    }
    Some(trace)
}

fn warm_up(run: &Run, transfers: &mut dyn Transfers) -> Option<bool> {
    let [src, dst] = WARM_UP.map(|cpu| run.arch().host(cpu));
    let copy = Transfer {
        src,
        dst,
        size: run.warmup.size,
        src_moves: true,
        dst_moves: true,
    };
    for _ in 0..run.warmup.count {
        if transfers.copy(&copy)? != 0 {
            return Some(false);
        }
    }
    Some(true)
}

/// One step: what it gave.
fn take(
    step: &Step,
    transfers: &mut dyn Transfers,
    machine: &Machine,
    capacity: &mut u32,
) -> Option<Vec<i64>> {
    let state = |transfers: &dyn Transfers, mut values: Vec<i64>| {
        values.extend(transfers.contexts_state()?.map(|value| value as i64));
        Some(values)
    };
    Some(match step {
        Step::Copy(transfer) => {
            machine.ordered(Some("BTCH-3"));
            vec![transfers.copy(transfer)?.into()]
        }
        Step::Submit(transfer, previous) => {
            machine.ordered(Some("BTCH-3"));
            let (code, handle) = transfers.submit(transfer, *previous)?;
            vec![code.into(), handle.into()]
        }
        Step::Wait(handle) => {
            machine.ordered(Some("BTCH-3"));
            vec![transfers.wait(*handle)?.into()]
        }
        Step::Memset(fill) => {
            machine.ordered(Some("BTCH-3"));
            vec![transfers.memset(fill)?.into()]
        }
        Step::ZeroCopy(copy) => {
            let code = transfers.zero_copy(copy)?;
            // Reads have no barrier (ZC-5): their marker may be seen first (MODL-8).
            if code == 0 && copy.to_device {
                machine.all_visible("ZC-5");
            }
            vec![code.into()]
        }
        Step::Contexts(contexts) => {
            transfers.contexts_open(contexts)?;
            *capacity = contexts.capacity;
            Vec::new()
        }
        Step::Enqueue(copy, tag) => {
            let code = transfers.contexts_submit(copy, *tag)?;
            state(transfers, vec![code.into()])?
        }
        Step::ContextsCopy(copy) => {
            let code = transfers.contexts_copy(copy)?;
            state(transfers, vec![code.into()])?
        }
        Step::Advance(most) => {
            let mut rounds = 0;
            while rounds < *most && transfers.contexts_advance()? {
                rounds += 1;
            }
            let mut values = state(transfers, vec![rounds.into()])?;
            for index in 0..(*capacity).min(MOST_STATES) {
                values.push(transfers.contexts_at(index)?.into());
            }
            values
        }
        Step::Pop => {
            let mut values = Vec::new();
            while values.len() < MOST_POPPED
                && let Some((tag, code)) = transfers.completion_pop()?
            {
                values.extend([tag as i64, code.into()]);
            }
            values
        }
    })
}
