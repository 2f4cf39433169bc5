//! The documented layout (VRNG-1 to VRNG-3, PRNG-1), sets (VRNG-6), and the ring for a full vring
//! (VRNG-5).

use serde_json::{Value, json};

use crate::cases::json;
use crate::family::{Family, simpler_number};
use crate::law::vring::{CAP, pring_size};
use crate::law::word::EINVAL;
use crate::line::{DRIVERS, Line};
use crate::subject::{EngineCfg, QueueCfg, Subject, Tape};
use crate::whole::{self, Whole};

/// Where a member lies.
pub struct Layout;

/// A structure and a member of it; empty for the whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayoutCase {
    /// `vring`, `half`, `page`, `pring` or `set`.
    pub structure: String,
    /// Member.
    pub field: String,
}

/// Structure, member, offset, and the bytes where the rules give them; the whole under an empty
/// member.
pub const PLACES: [(&str, &str, u64, Option<u64>); 24] = [
    ("vring", "", 0, Some(344)),
    ("vring", "name", 0, Some(256)),
    ("vring", "tx", 0x100, Some(32)),
    ("vring", "rx", 0x120, Some(32)),
    ("vring", "total_tx_size", 0x140, Some(8)),
    ("vring", "total_rx_size", 0x148, Some(8)),
    ("vring", "stochastic_rounding", 0x150, None),
    ("half", "", 0, Some(32)),
    ("half", "used_desc_count", 0, Some(4)),
    ("half", "head", 8, Some(8)),
    ("half", "tail", 0x10, Some(8)),
    ("half", "is_template", 0x18, None),
    ("half", "max_var_id", 0x1c, Some(4)),
    ("page", "", 0, Some(0x10_0010)),
    ("page", "desc", 0, Some(0x10_0000)),
    ("page", "next", 0x10_0000, Some(8)),
    ("page", "prev", 0x10_0008, Some(8)),
    ("pring", "", 0, Some(32)),
    ("pring", "type", 0, Some(4)),
    ("pring", "memory", 8, Some(8)),
    ("pring", "offset", 0x10, Some(8)),
    ("pring", "used", 0x18, Some(4)),
    ("pring", "allocated", 0x1c, Some(4)),
    ("set", "", 0, Some(5520)),
];

impl LayoutCase {
    fn place(&self) -> Option<(u64, Option<u64>)> {
        let found = PLACES
            .iter()
            .find(|(structure, field, ..)| (*structure, *field) == (&self.structure, &self.field));
        found.map(|(_, _, offset, size)| (*offset, *size))
    }

    fn rule(&self) -> &'static str {
        match self.structure.as_str() {
            "half" => "VRNG-2",
            "page" => "VRNG-3",
            "pring" => "PRNG-1",
            "set" => "VRNG-6",
            _ => "VRNG-1",
        }
    }
}

impl Whole for Layout {
    type Seen = <Self as Family>::Answer;

    fn see(subject: &dyn Subject, case: &LayoutCase) -> Option<Self::Seen> {
        let place = subject.vrings()?.place(&case.structure, &case.field)?;
        let sized = case.place().is_none_or(|(_, size)| size.is_some());
        Some(place.map(|place| (place.offset, sized.then_some(place.size))))
    }
}

impl Family for Layout {
    type Case = LayoutCase;
    /// Offset and size; the size is none where the rules do not give it, and all of it is none for
    /// a name that is not known.
    type Answer = Option<(u64, Option<u64>)>;
    const NAME: &'static str = "vring_layout";

    fn operations(_case: &LayoutCase) -> u64 {
        0
    }

    fn ask(subject: &dyn Subject, case: &LayoutCase) -> Option<Self::Answer> {
        whole::see::<Self>(subject, case)
    }

    fn required(line: Line, case: &LayoutCase) -> Option<Self::Answer> {
        (line == Line::Hal).then(|| case.place())
    }

    fn rules(_line: Line, case: &LayoutCase) -> Vec<(&'static str, bool)> {
        vec![(case.rule(), false)]
    }

    fn broken(
        _line: Line,
        case: &LayoutCase,
        _want: &Self::Answer,
        _got: &Self::Answer,
    ) -> Vec<&'static str> {
        vec![case.rule()]
    }

    fn simpler(_case: &LayoutCase) -> Vec<LayoutCase> {
        Vec::new()
    }

    fn to_json(case: &LayoutCase) -> Value {
        json!({"structure": case.structure, "field": case.field})
    }

    fn from_json(value: &Value) -> Result<LayoutCase, String> {
        Ok(LayoutCase {
            structure: json::get_text(value, "structure")?.into(),
            field: json::get_text(value, "field")?.into(),
        })
    }

    fn show(case: &LayoutCase, answer: &Self::Answer) -> Vec<String> {
        let place = match answer {
            None => "not there".into(),
            Some((offset, None)) => format!("at {offset:#x}"),
            Some((offset, Some(size))) => format!("at {offset:#x}, {size:#x} bytes"),
        };
        vec![format!("{} {:?} {place}", case.structure, case.field)]
    }
}

/// A set that is filled.
pub struct Set;

/// Name and flag of a set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetCase {
    /// Name.
    pub name: String,
    /// Its stochastic-rounding flag.
    pub rounding: bool,
}

/// Vrings of a set (VRNG-6).
const SET_VRINGS: usize = 16;
/// Vrings that are asked for.
const ASKED: usize = 20;
/// Most bytes of a name beside its NUL (VRNG-1).
const NAME_BYTES: usize = 255;

impl Whole for Set {
    type Seen = <Self as Family>::Answer;

    fn see(subject: &dyn Subject, case: &SetCase) -> Option<Self::Seen> {
        let (members, code) = subject.vrings()?.set(&case.name, case.rounding, ASKED)?;
        let members = members.into_iter().map(|member| {
            let name = String::from_utf8_lossy(&member.name).into_owned();
            (name, member.stochastic_rounding)
        });
        Some((members.collect(), code))
    }
}

impl Family for Set {
    type Case = SetCase;
    /// Name and flag of each vring, and the code of the one that was refused.
    type Answer = (Vec<(String, u8)>, i32);
    const NAME: &'static str = "vring_set";

    fn ask(subject: &dyn Subject, case: &SetCase) -> Option<Self::Answer> {
        whole::see::<Self>(subject, case)
    }

    fn required(line: Line, case: &SetCase) -> Option<Self::Answer> {
        let members = (0..SET_VRINGS).map(|index| {
            let mut name = format!("{}_{index}", case.name);
            name.truncate(NAME_BYTES);
            (name, u8::from(case.rounding))
        });
        (line == Line::Hal).then(|| (members.collect(), EINVAL))
    }

    fn rules(_line: Line, case: &SetCase) -> Vec<(&'static str, bool)> {
        let mut rules = vec![("VRNG-6", false)];
        if case.name.len() > NAME_BYTES {
            rules.push(("VRNG-1", false));
        }
        rules
    }

    fn broken(
        line: Line,
        case: &SetCase,
        _want: &Self::Answer,
        _got: &Self::Answer,
    ) -> Vec<&'static str> {
        Self::rules(line, case)
            .into_iter()
            .map(|(rule, _)| rule)
            .collect()
    }

    fn simpler(case: &SetCase) -> Vec<SetCase> {
        let lengths = simpler_number(case.name.len() as u64);
        lengths
            .map(|length| SetCase {
                name: case.name[..length as usize].into(),
                ..*case
            })
            .collect()
    }

    fn to_json(case: &SetCase) -> Value {
        json!({"name": case.name, "stochastic_rounding": case.rounding})
    }

    fn from_json(value: &Value) -> Result<SetCase, String> {
        let name = json::get_text(value, "name")?;
        if !name.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(format!("field \"name\" is {name:?}: printed ASCII"));
        }
        Ok(SetCase {
            name: name.into(),
            rounding: json::get_flag(value, "stochastic_rounding")?,
        })
    }

    fn show(_case: &SetCase, (members, code): &Self::Answer) -> Vec<String> {
        let mut lines: Vec<String> = members
            .iter()
            .map(|(name, rounding)| format!("{name} rounding {rounding}"))
            .collect();
        lines.push(format!("then {code}"));
        lines
    }
}

/// The ring that a vring of so many descriptors is programmed into.
pub struct RingLimit;

/// A number of descriptors, and the kind of ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RingLimitCase {
    /// Descriptors of the vring.
    pub descriptors: u32,
    /// A power-of-two ring that wraps around; else the ring has as many slots as are dumped, padded
    /// to what a queue is made of (QINI-4).
    pub wrap: bool,
}

impl RingLimitCase {
    /// Slots that the queue is initialised with.
    fn slots(self) -> u64 {
        if self.wrap {
            pring_size(self.descriptors, true)
        } else {
            u64::from(self.descriptors).div_ceil(16).max(2) * 16
        }
    }
}

impl Whole for RingLimit {
    type Seen = i64;

    fn see(subject: &dyn Subject, case: &RingLimitCase) -> Option<i64> {
        if subject.line() == Line::Hal {
            let mut machine = subject.vrings()?.machine(3)?;
            let op = crate::subject::vring::Op::PringSize {
                descriptors: case.descriptors,
                wrap: case.wrap,
            };
            return machine.step(&op).map(|outcome| outcome.value);
        }
        let engine = EngineCfg {
            arch: 3,
            driver: DRIVERS[0].0,
            num_queues: 16,
            engine_id: 0,
        };
        let mut engine = subject.open(&engine, &Tape::default())?;
        let slots = u32::try_from(case.slots()).ok()?;
        let queue = QueueCfg {
            size: [slots; 2],
            base: [0x1_0000_0000, 0x2_0000_0000],
            has_memory: [true; 2],
            ..QueueCfg::default()
        };
        engine.queue_init(0, &queue).map(i64::from)
    }
}

impl Family for RingLimit {
    type Case = RingLimitCase;
    /// HAL line: descriptors allocated for a ring that wraps around. Kernel line: the code of the
    /// queue's initialisation.
    type Answer = i64;
    const NAME: &'static str = "ring_limit";

    fn ask(subject: &dyn Subject, case: &RingLimitCase) -> Option<i64> {
        whole::see::<Self>(subject, case)
    }

    fn required(line: Line, case: &RingLimitCase) -> Option<i64> {
        Some(match line {
            Line::Hal => pring_size(case.descriptors, case.wrap) as i64,
            Line::Kernel if case.slots() > CAP => EINVAL.into(),
            Line::Kernel => 0,
        })
    }

    fn rules(line: Line, _case: &RingLimitCase) -> Vec<(&'static str, bool)> {
        match line {
            Line::Hal => vec![("VRNG-5", false), ("PRNG-2", false)],
            Line::Kernel => vec![("VRNG-5", false)],
        }
    }

    fn broken(line: Line, case: &RingLimitCase, _want: &i64, _got: &i64) -> Vec<&'static str> {
        let full = u64::from(case.descriptors) == CAP;
        match line {
            Line::Hal if !full => vec!["PRNG-2"],
            _ => vec!["VRNG-5"],
        }
    }

    fn simpler(case: &RingLimitCase) -> Vec<RingLimitCase> {
        simpler_number(case.descriptors.into())
            .map(|descriptors| RingLimitCase {
                descriptors: descriptors as u32,
                ..*case
            })
            .collect()
    }

    fn to_json(case: &RingLimitCase) -> Value {
        json!({"descriptors": case.descriptors, "wrap": case.wrap})
    }

    fn from_json(value: &Value) -> Result<RingLimitCase, String> {
        Ok(RingLimitCase {
            descriptors: json::get32(value, "descriptors")?,
            wrap: json::get_flag(value, "wrap")?,
        })
    }

    fn show(case: &RingLimitCase, answer: &i64) -> Vec<String> {
        let kind = if case.wrap { "wrap-around" } else { "linear" };
        vec![format!("{kind} ring for {}: {answer}", case.descriptors)]
    }
}
