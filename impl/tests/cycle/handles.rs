//! Asynchronous handles and retries (ASYN, RTRY).

use udma::Arch;
use udma::io::Side;

use super::checks::{COMPLETION, DST, SRC, chunks_of_64, open};
use super::machine::{Event, Model};
use super::subject::{Setup, Subject};
use super::{Outcome, holds, same};

const MARKER: u32 = 0xabcd_ef01;

// ASYN-1
pub fn handles_step<S: Subject>() -> Outcome {
    let (mut machine, mut subject) = open::<S>(&Setup::of(Arch::Sunda, 8192));
    for (previous, next) in [(-1, 1), (1, 2), (2, 1), (1, 2), (0, 0)] {
        let handle = subject.submit(&mut machine, [SRC, DST, 64], previous);
        same(&format!("after handle {previous}"), handle, Ok(next))?;
    }
    Ok(())
}

// ASYN-1, with either asynchronous slot in use.
pub fn unknown_handles<S: Subject>() -> Outcome {
    let (mut machine, mut subject) = open::<S>(&Setup::of(Arch::Sunda, 8192));
    for previous in [-1, 1, 2] {
        let handle = subject.submit(&mut machine, [SRC, DST, 64], previous);
        holds("a known handle", handle.is_ok())?;
        let before = machine.events.len();
        for unknown in [-2, 3, 4, i32::MAX, i32::MIN] {
            let handle = subject.submit(&mut machine, [SRC, DST, 64], unknown);
            same(&format!("after handle {unknown}"), handle, Err(-22))?;
            same("wait", subject.wait(&mut machine, unknown), -22)?;
        }
        same("events of refused handles", machine.events.len(), before)?;
    }
    Ok(())
}

/// Events of arming and ringing a batch on queue 0.
fn sent(slot: u64, pairs: u32) -> Vec<Event> {
    let at = COMPLETION + 8 * slot;
    vec![
        Event::Store(at, MARKER),
        Event::Store(at + 4, 0),
        Event::Barrier,
        Event::Write(Side::Rx, 0x38, 0x2_1038, pairs),
        Event::Barrier,
        Event::Write(Side::Tx, 0x38, 0x1038, pairs),
    ]
}

/// Events of a wait that finds the marker at the first look.
fn found(slot: u64, first: u64, consumer: u32) -> Vec<Event> {
    let at = COMPLETION + 8 * slot;
    vec![
        Event::Delay(first),
        Event::Poll(1),
        Event::Store(at + 4, 0),
        Event::Store(at, MARKER),
        Event::Ack(Side::Rx, consumer),
        Event::Ack(Side::Tx, consumer),
    ]
}

// ASYN-2, MARK-4: own batch rung, then the previous handle's batch waited for, by its count.
pub fn waits_for_previous<S: Subject>() -> Outcome {
    for arch in Arch::ALL {
        let setup = Setup {
            completion: COMPLETION,
            ..Setup::of(arch, 8192)
        };
        let (mut machine, mut subject) = open::<S>(&setup);
        let sizes = [3, 1, 5].map(|chunks| chunks * 65536);
        let mut previous = -1;
        for (number, size) in sizes.into_iter().enumerate() {
            let transfer = [SRC, DST + (number as u64) * 0x1000_0000, size];
            previous = subject
                .submit(&mut machine, transfer, previous)
                .map_err(|code| format!("submit: {code}"))?;
        }
        same("wait", subject.wait(&mut machine, previous), 0)?;
        let expected = [
            sent(1, 4),
            sent(2, 2),
            found(1, 1, 4),
            sent(1, 6),
            found(2, 1, 6),
            found(1, 1, 12),
        ]
        .concat();
        same("events", &machine.events[..], &expected[..])?;
        for (number, size) in sizes.into_iter().enumerate() {
            let dst = DST + (number as u64) * 0x1000_0000;
            holds("copied", machine.arena.is_same(SRC, dst, size))?;
        }
    }
    Ok(())
}

// ASYN-3
pub fn async_too_large<S: Subject>() -> Outcome {
    let setup = Setup {
        batching: chunks_of_64(1),
        ..Setup::of(Arch::Cayman, 64)
    };
    let (mut machine, mut subject) = open::<S>(&setup);
    let first = subject.submit(&mut machine, [SRC, DST, 128], -1);
    same("a full batch", first, Ok(1))?;
    let handle = subject.submit(&mut machine, [SRC, DST, 129], 1);
    same("one byte more", handle, Err(-22))?;
    let rung: Vec<usize> = machine
        .rung
        .iter()
        .map(|rung| rung.descs[0].len())
        .collect();
    same("pairs rung", &rung[..], &[3, 3])?;
    same("delays", machine.delays.len(), 0)?;
    // Both batches are out: both can be waited for.
    same("wait for 1", subject.wait(&mut machine, 1), 0)?;
    same("wait for 2", subject.wait(&mut machine, 2), 0)?;
    let cursors = subject.cursors(Side::Tx);
    same("all acknowledged", cursors.next_cdesc, cursors.next_desc)
}

// ASYN-4
pub fn not_in_use<S: Subject>() -> Outcome {
    let (mut machine, mut subject) = open::<S>(&Setup::of(Arch::Mariana, 64));
    for previous in [1, 2] {
        let handle = subject.submit(&mut machine, [SRC, DST, 64], previous);
        same(&format!("after unused handle {previous}"), handle, Err(-22))?;
    }
    for handle in [-1, 0, 1, 2] {
        same("wait", subject.wait(&mut machine, handle), -22)?;
    }
    same("events", &machine.events[..], &[])?;
    same(
        "submit",
        subject.submit(&mut machine, [SRC, DST, 64], -1),
        Ok(1),
    )?;
    same("wait", subject.wait(&mut machine, 1), 0)?;
    same("second wait", subject.wait(&mut machine, 1), -22)
}

// ASYN-2, POLL-1
pub fn timeout_keeps_slot<S: Subject>() -> Outcome {
    let (mut machine, mut subject) = open::<S>(&Setup::of(Arch::Sunda, 64));
    machine.model.delay_calls = 39_902 + 1;
    same(
        "submit",
        subject.submit(&mut machine, [SRC, DST, 64], -1),
        Ok(1),
    )?;
    same("first wait", subject.wait(&mut machine, 1), -1)?;
    let looks = [Event::Delay(1), Event::PollDelay(39_902)];
    same("events of the wait", &machine.events[6..], &looks)?;
    let cursors = subject.cursors(Side::Rx);
    same("cursors", (cursors.next_desc, cursors.next_cdesc), (2, 0))?;
    // The batch arrives late; it is still there to be waited for.
    same("second wait", subject.wait(&mut machine, 1), 0)?;
    // A synchronous copy that timed out is nobody's to wait for.
    machine.model.lost_batches = 1;
    same("copy", subject.copy(&mut machine, SRC, DST, 64), -1)?;
    same("wait for it", subject.wait(&mut machine, 0), -22)
}

// RTRY-1: as often as each fresh attempt began in a window, and no oftener.
pub fn retries<S: Subject>() -> Outcome {
    for (lost, windows, ret) in [(2, 2, 0), (2, 1, -1), (3, 5, 0)] {
        let (mut machine, mut subject) = open::<S>(&Setup::of(Arch::Sunda, 64));
        machine.model = Model {
            lost_batches: lost,
            in_reset_window: windows,
            ..Model::default()
        };
        let result = subject.copy(&mut machine, SRC, DST, 3 * 65536);
        same(&format!("{lost} lost in {windows} windows"), result, ret)?;
        let asked = &machine.windows_asked;
        let rises = asked.windows(2).all(|pair| pair[0] < pair[1]);
        holds("the clock is restarted", rises)?;
        let most = windows + u64::from(ret != 0);
        same("windows asked for", asked.len() as u64, most.min(lost))?;
        let copied = machine.arena.is_same(SRC, DST, 3 * 65536);
        same("copied", copied, ret == 0)?;
        same("faults", &machine.faults[..], &[])?;
    }
    Ok(())
}

// RTRY-1: for an async wait the newer batch is rung again too, and the wait is synchronous.
pub fn retry_of_two<S: Subject>() -> Outcome {
    let setup = Setup {
        completion: COMPLETION,
        ..Setup::of(Arch::Sunda, 64)
    };
    let (mut machine, mut subject) = open::<S>(&setup);
    machine.model = Model {
        lost_batches: 2,
        in_reset_window: 1,
        ..Model::default()
    };
    let second = DST + 0x1000_0000;
    same(
        "first",
        subject.submit(&mut machine, [SRC, DST, 3 * 65536], -1),
        Ok(1),
    )?;
    same(
        "second",
        subject.submit(&mut machine, [SRC, second, 64], 1),
        Ok(2),
    )?;
    same("wait", subject.wait(&mut machine, 2), 0)?;
    holds("first copied", machine.arena.is_same(SRC, DST, 3 * 65536))?;
    holds("second copied", machine.arena.is_same(SRC, second, 64))?;
    let starts: Vec<u32> = machine.rung.iter().map(|rung| rung.start[0]).collect();
    same("slots", &starts[..], &[0, 4, 0, 4])?;
    let again = [
        sent(1, 4),
        sent(2, 2),
        found(1, 9, 4), // 4 * 3 - 3
        found(2, 1, 6),
    ]
    .concat();
    let at = machine.events.len().saturating_sub(again.len());
    same(
        "events of the second attempt",
        &machine.events[at..],
        &again[..],
    )
}
