//! Small questions about ring cycles, numbers in and numbers out: one [`Family`] each, from the
//! little that differs between them.

use std::marker::PhantomData;

use serde_json::{Value, json};

use crate::cases::json;
use crate::family::{Family, Held, simpler_number};
use crate::law::cycle::wait;
use crate::law::ring::ring_size;
use crate::line::Line;
use crate::subject::Subject;
use crate::subject::cycle::{Cycle, HostPlace, WaitCase};
use udma_reference::abi;

/// What differs between questions.
pub trait Question: 'static {
    /// Name of the family.
    const NAME: &'static str;
    /// What the first numbers of a case are; more may follow.
    const ARGS: &'static [&'static str];
    /// Rules about it.
    const RULES: &'static [&'static str];

    /// The subject's answer.
    fn ask(cycle: &dyn Cycle, args: &[u64]) -> Option<Vec<u64>>;

    /// See [`Family::held_to`].
    fn held_to(args: &[u64], _held: Held) -> Vec<u64> {
        args.to_vec()
    }

    /// What the rules require; none of a line that does not have it.
    fn required(line: Line, args: &[u64]) -> Option<Vec<u64>>;

    /// Rules that a wrong answer breaks.
    fn broken(args: &[u64], want: &[u64], got: &[u64]) -> Vec<&'static str>;
}

/// The family of a question.
pub struct Of<Q>(PhantomData<Q>);

impl<Q: Question> Family for Of<Q> {
    type Case = Vec<u64>;
    type Answer = Vec<u64>;
    const NAME: &'static str = Q::NAME;

    fn ask(subject: &dyn Subject, args: &Vec<u64>) -> Option<Vec<u64>> {
        Q::ask(subject.cycle()?, args)
    }

    fn required(line: Line, args: &Vec<u64>) -> Option<Vec<u64>> {
        Q::required(line, args)
    }

    fn held_to(args: &Vec<u64>, held: Held) -> Option<Vec<u64>> {
        Some(Q::held_to(args, held))
    }

    fn rules(_line: Line, _args: &Vec<u64>) -> Vec<(&'static str, bool)> {
        Q::RULES.iter().map(|rule| (*rule, false)).collect()
    }

    fn broken(_line: Line, args: &Vec<u64>, want: &Vec<u64>, got: &Vec<u64>) -> Vec<&'static str> {
        if want == got {
            Vec::new()
        } else {
            Q::broken(args, want, got)
        }
    }

    fn simpler(args: &Vec<u64>) -> Vec<Vec<u64>> {
        let mut simpler = Vec::new();
        for at in (Q::ARGS.len()..args.len()).rev() {
            let mut fewer = args.clone();
            fewer.remove(at);
            simpler.push(fewer);
        }
        for at in 0..args.len() {
            for value in simpler_number(args[at]) {
                let mut less = args.clone();
                less[at] = value;
                simpler.push(less);
            }
        }
        simpler
    }

    fn to_json(args: &Vec<u64>) -> Value {
        let numbers = args.iter().map(|value| {
            if *value > u64::from(u32::MAX) {
                json::hex(*value)
            } else {
                json!(value)
            }
        });
        json!({"names": Q::ARGS, "numbers": numbers.collect::<Vec<Value>>()})
    }

    fn from_json(value: &Value) -> Result<Vec<u64>, String> {
        let list = json::get_list(value, "numbers")?;
        let args: Vec<u64> = list
            .iter()
            .map(|entry| json::number(entry, "numbers"))
            .collect::<Result<_, _>>()?;
        if args.len() < Q::ARGS.len() {
            return Err(format!(
                "field \"numbers\" has {}: {:?}",
                args.len(),
                Q::ARGS
            ));
        }
        Ok(args)
    }

    fn show(args: &Vec<u64>, answer: &Vec<u64>) -> Vec<String> {
        let mut lines: Vec<String> = Q::ARGS
            .iter()
            .zip(args)
            .map(|(name, value)| format!("{name} {value:#x}"))
            .collect();
        lines.extend(answer.iter().map(|value| format!("{value:#x} ({value})")));
        lines
    }
}

/// How long a batch is waited for (POLL-2, POLL-3).
pub struct Estimate;

impl Question for Estimate {
    const NAME: &'static str = "wait_time";
    const ARGS: &'static [&'static str] = &["arch", "driver", "platform", "count", "async"];
    const RULES: &'static [&'static str] = &["POLL-2", "POLL-3"];

    fn ask(cycle: &dyn Cycle, args: &[u64]) -> Option<Vec<u64>> {
        let case = WaitCase {
            arch: args[0] as u8,
            driver: args[1] as u8,
            platform: args[2] as u32,
            count: args[3] as u32,
            is_async: args[4] != 0,
        };
        cycle.wait_estimate(&case).map(Vec::from)
    }

    fn held_to(args: &[u64], held: Held) -> Vec<u64> {
        let mut args = args.to_vec();
        args[1] = held.driver.map_or(args[1], u64::from);
        args
    }

    fn required(line: Line, args: &[u64]) -> Option<Vec<u64>> {
        let known = (2..=4).contains(&args[0]) && args[1] < 5 && args[2] < 3 && args[4] < 2;
        (line == Line::Kernel && known).then(|| {
            wait::estimate(
                args[0] as u8,
                args[1] as u8,
                args[2] as u32,
                args[3] as u32,
                args[4] != 0,
            )
            .into()
        })
    }

    fn broken(args: &[u64], _want: &[u64], _got: &[u64]) -> Vec<&'static str> {
        if args[2] as u32 == abi::UDMA_PLATFORM_HW {
            vec!["POLL-2"]
        } else {
            vec!["POLL-3", "POLL-2"]
        }
    }
}

/// Where the host transfers of a core go (HOST-1, HOST-2).
pub struct Place;

impl Question for Place {
    const NAME: &'static str = "host_place";
    const ARGS: &'static [&'static str] = &["arch", "core"];
    const RULES: &'static [&'static str] = &["HOST-1", "HOST-2"];

    fn ask(cycle: &dyn Cycle, args: &[u64]) -> Option<Vec<u64>> {
        let place = cycle.host_place(args[0] as u8, args[1] as u32)?;
        Some(place.map_or_else(Vec::new, |place| {
            let HostPlace {
                window,
                engine,
                queue,
                ring_size,
            } = place;
            vec![window, engine.into(), queue.into(), ring_size.into()]
        }))
    }

    fn required(line: Line, args: &[u64]) -> Option<Vec<u64>> {
        let (arch, core) = (args[0], args[1]);
        let size = u64::from(ring_size(4096));
        let place = match arch {
            2 if core <= 1 => vec![0x1000_0000_0000, 32 + core, 0, size],
            3 | 4 if core <= 7 => vec![0x4000_0000_0000, 128 + core / 2, core % 2, size],
            2..=4 => Vec::new(),
            _ => return None,
        };
        (line == Line::Kernel).then_some(place)
    }

    fn broken(_args: &[u64], want: &[u64], got: &[u64]) -> Vec<&'static str> {
        match (want.first(), got.first()) {
            (Some(want), Some(got)) if want != got => vec!["HOST-1"],
            _ => vec!["HOST-2"],
        }
    }
}

/// Whether zero-copy is offered (RTRY-2).
pub struct Offered;

impl Question for Offered {
    const NAME: &'static str = "zerocopy_offered";
    const ARGS: &'static [&'static str] = &["arch", "overridden"];
    const RULES: &'static [&'static str] = &["RTRY-2"];

    fn ask(cycle: &dyn Cycle, args: &[u64]) -> Option<Vec<u64>> {
        let offered = cycle.zerocopy_offered(args[0] as u8, args[1] != 0)?;
        Some(vec![offered.into()])
    }

    fn required(line: Line, args: &[u64]) -> Option<Vec<u64>> {
        let offered = u64::from(args[0] != 2 || args[1] != 0);
        (line == Line::Kernel && (2..=4).contains(&args[0])).then_some(vec![offered])
    }

    fn broken(_args: &[u64], _want: &[u64], _got: &[u64]) -> Vec<&'static str> {
        vec!["RTRY-2"]
    }
}
