//! Simpler runs.

use crate::cycle::{Run, Step};
use crate::family::simpler_number;

/// Runs that are simpler in one respect, the boldest step first.
pub(super) fn simpler(run: &Run) -> Vec<Run> {
    let mut runs = Vec::new();
    let mut with = |change: &dyn Fn(&mut Run)| {
        let mut simpler = run.clone();
        change(&mut simpler);
        if simpler != *run {
            runs.push(simpler);
        }
    };
    if run.warmup.count != 0 {
        with(&|run| run.warmup.count = 0);
    }
    if run.steps.len() > 1 {
        for at in (0..run.steps.len()).rev() {
            with(&|run| {
                run.steps.remove(at);
            });
        }
    }
    for size in [32, 64, 256] {
        if run.setup.size.iter().all(|own| *own > size) {
            with(&|run| run.setup.size = [size; 2]);
        }
    }
    // Small batches, with the transfers shortened by the same measure.
    for (chunk, threshold) in [(64, 1), (64, 3), (64, run.setup.threshold)] {
        if run.setup.chunk > chunk && run.setup.threshold >= threshold {
            with(&|run| {
                let ratio = u64::from(run.setup.chunk / chunk);
                let batches = u64::from(run.setup.threshold + 1) / u64::from(threshold + 1);
                (run.setup.chunk, run.setup.threshold) = (chunk, threshold);
                for step in &mut run.steps {
                    if let Some(size) = size_of(step) {
                        *size = (*size / ratio / batches).max((*size).min(1));
                    }
                }
            });
        }
    }
    for threshold in simpler_number(run.setup.threshold.into()) {
        with(&|run| run.setup.threshold = threshold as u32);
    }
    for at in 0..run.steps.len() {
        let size = size_of(&mut run.steps[at].clone()).map_or(0, |size| *size);
        for simpler in simpler_number(size) {
            with(&|run| {
                if let Some(size) = size_of(&mut run.steps[at]) {
                    *size = simpler;
                }
            });
        }
    }
    let warm = run.warmup.count;
    with(&|run| run.warmup.count = warm / 2);
    with(&|run| run.warmup.count = warm.saturating_sub(1));
    with(&|run| run.engine.delay_calls = 0);
    let engine = run.engine;
    with(&|run| run.engine.lost_batches = engine.lost_batches.saturating_sub(1));
    with(&|run| run.engine.in_reset_window = engine.in_reset_window.saturating_sub(1));
    with(&|run| run.engine.out_of_window = engine.out_of_window.saturating_sub(1));
    with(&|run| run.setup.platform = 0);
    with(&|run| run.setup.driver = 0);
    runs
}

fn size_of(step: &mut Step) -> Option<&mut u64> {
    match step {
        Step::Copy(transfer) | Step::Submit(transfer, _) => Some(&mut transfer.size),
        Step::Memset(fill) => Some(&mut fill.size),
        Step::ZeroCopy(copy) | Step::Enqueue(copy, _) | Step::ContextsCopy(copy) => {
            Some(&mut copy.size)
        }
        _ => None,
    }
}
