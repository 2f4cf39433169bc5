//! What was seen beside what a program states.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;

use udma_oracle::catalogue::family;
use udma_oracle::law::names;
use udma_oracle::wire::Desc;
use udma_reference::abi::{UDMA_VIEW_RX, UDMA_VIEW_TX};
use udma_report::model::DescriptorDiff;

use super::wanted::{Differing, Segment, Wanted};
use crate::interpret::Interpretation;
use crate::outcome::{Outcome, SeenSlot, StepPath, Written};
use crate::program::fill::Pattern;
use crate::program::step::Side;
use crate::program::{At, Cursor, Expected, Op, Piece, Program, Slot, Step, Tag, Value};

/// Something that is not as stated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The step it shows at, or that is to blame for it.
    pub step: Option<StepPath>,
    /// Rule.
    pub rule: String,
    /// In one line: step, first byte or field.
    pub summary: String,
    /// What must be, line by line.
    pub expected: Vec<String>,
    /// What is.
    pub actual: Vec<String>,
    /// Descriptors, field by field.
    pub descriptors: Vec<DescriptorDiff>,
}

/// Everything needed to judge outcomes of one program.
#[derive(Clone, Debug)]
pub struct Judge<'a> {
    program: &'a Program,
    /// Bytes of buffers, and what they hold beforehand.
    initial: BTreeMap<String, (u64, Pattern)>,
    /// Who wrote what, as the interpreter has it.
    written: Vec<Written>,
    folder: &'a Path,
}

/// What a run came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// One of the program's outcomes, by its index.
    Outcome(usize),
    /// None of them; the differences from the nearest.
    Differs(Vec<Difference>),
}

/// -EINVAL and -ENOTTY: either is right for a request that is not known (DEV-22).
const NOT_KNOWN: [i64; 2] = [-22, -25];

impl<'a> Judge<'a> {
    /// For a program with what the interpreter made of it.
    ///
    /// # Errors
    /// A fill that cannot be made.
    pub fn new(
        program: &'a Program,
        interpretation: &Interpretation,
        folder: &'a Path,
    ) -> Result<Self, String> {
        let mut initial = BTreeMap::new();
        for buffer in &program.buffers {
            let pattern = buffer.fill.load(folder)?;
            initial.insert(buffer.name.clone(), (buffer.size.0, pattern));
        }
        Ok(Self {
            program,
            initial,
            written: interpretation.written.clone(),
            folder,
        })
    }

    /// Judges an outcome.
    pub fn judge(&self, outcome: &Outcome) -> Verdict {
        let mut nearest: Option<Vec<Difference>> = None;
        for (index, expected) in self.program.outcomes.iter().enumerate() {
            let differences = self.against(expected, outcome);
            if differences.is_empty() {
                return Verdict::Outcome(index);
            }
            if nearest
                .as_ref()
                .is_none_or(|best| differences.len() < best.len())
            {
                nearest = Some(differences);
            }
        }
        Verdict::Differs(nearest.unwrap_or_default())
    }

    fn against(&self, expected: &Expected, outcome: &Outcome) -> Vec<Difference> {
        let mut found = Vec::new();
        self.steps(
            expected,
            outcome,
            &self.program.steps,
            &StepPath::default(),
            &mut found,
        );
        self.memory(expected, outcome, &mut found);
        rings(expected, outcome, &mut found);
        for (rule, what) in &outcome.leftovers {
            found.push(Difference {
                step: None,
                rule: rule.clone(),
                summary: format!("after the close: {what}"),
                expected: vec!["nothing is left".into()],
                actual: vec![what.clone()],
                descriptors: Vec::new(),
            });
        }
        found
    }

    /// The step of a path.
    fn step(&self, path: &StepPath) -> Option<&Step> {
        let mut list = &self.program.steps;
        let mut found = None;
        for index in &path.0 {
            let step = list.get(*index)?;
            if let Op::Repeat { steps, .. } = &step.op {
                list = steps;
            }
            found = Some(step);
        }
        found
    }

    /// The rule that a difference at a step is blamed on: the step's own, or one of the program's
    /// that speaks of such steps, or the one that says what such a step does.
    fn rule(&self, step: Option<&Step>) -> String {
        let Some(step) = step else {
            return self.program.rules.first().cloned().unwrap_or_default();
        };
        let (families, otherwise) = about(&step.op);
        let speaks = |rule: &&String| families.contains(&family(rule));
        let own = step.rules.first();
        let rule = own
            .or_else(|| self.program.rules.iter().find(speaks))
            .cloned();
        rule.unwrap_or_else(|| otherwise.into())
    }

    fn difference(
        &self,
        path: &StepPath,
        what: String,
        expected: impl ToString,
        actual: impl ToString,
    ) -> Difference {
        let step = self.step(path);
        let name = step.map_or("", |step| step.op.name());
        Difference {
            step: Some(path.clone()),
            rule: self.rule(step),
            summary: format!("{path} {name}: {what}"),
            expected: vec![expected.to_string()],
            actual: vec![actual.to_string()],
            descriptors: Vec::new(),
        }
    }

    fn steps(
        &self,
        expected: &Expected,
        outcome: &Outcome,
        list: &[Step],
        path: &StepPath,
        found: &mut Vec<Difference>,
    ) {
        for (index, step) in list.iter().enumerate() {
            let at = path.inner(index);
            if let Op::Repeat { steps, .. } = &step.op {
                self.steps(expected, outcome, steps, &at, found);
                continue;
            }
            let code = outcome.codes.get(&at).copied();
            let unknown = matches!(step.op, Op::Request { .. })
                && NOT_KNOWN.contains(&step.code)
                && code.is_some_and(|code| NOT_KNOWN.contains(&code));
            if code != Some(step.code) && !unknown {
                let got = code.map_or("not taken".into(), |code| format!("code {code}"));
                let what = format!("{got}, required {}", step.code);
                found.push(self.difference(&at, what, format!("code {}", step.code), got));
                continue;
            }
            match &step.op {
                Op::Wait { comes, .. } => {
                    let came = outcome.waits.get(&at).copied().unwrap_or(false);
                    if came != *comes {
                        let say = |came| {
                            if came {
                                "the marker comes"
                            } else {
                                "no marker comes"
                            }
                        };
                        let what = format!("{}, required: {}", say(came), say(*comes));
                        found.push(self.difference(&at, what, say(*comes), say(came)));
                    }
                }
                Op::Read { r#as, .. } if step.code == 0 => {
                    let mut want = Wanted::default();
                    let pieces = expected.reads.get(r#as).map_or(&[][..], Vec::as_slice);
                    want.size = self.add(&mut want, 0, pieces);
                    let got = outcome.reads.get(r#as).map_or(&[][..], Vec::as_slice);
                    if let Some(range) = Differing::of(&want, got) {
                        let mut difference = self.difference(&at, range.say(r#as), "", "");
                        difference.expected = range.dump(&want.line(&range));
                        difference.actual = range.dump(range.lines(got));
                        found.push(difference);
                    }
                }
                Op::CopyOut {
                    r#as, side, start, ..
                } if step.code == 0 => {
                    let want = expected.copied.get(r#as).map_or(&[][..], Vec::as_slice);
                    let got = outcome.copied.get(r#as).map_or(&[][..], Vec::as_slice);
                    found.extend(self.slots(&at, *side, *start, want, got));
                }
                Op::State { r#as, .. } | Op::EngineState { r#as, .. } | Op::Info { r#as, .. } => {
                    let none = BTreeMap::new();
                    let want = expected.states.get(r#as).unwrap_or(&none);
                    let got = outcome.states.get(r#as).unwrap_or(&none);
                    for (field, want) in want {
                        let seen = got.get(field);
                        if seen != Some(want) {
                            let got = seen.map_or("nothing".into(), show);
                            let what = format!("{as}.{field} is {got}, required {}", show(want), as = r#as);
                            let line = |value: String| format!("{field} {value}");
                            found.push(self.difference(&at, what, line(show(want)), line(got)));
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn slots(
        &self,
        at: &StepPath,
        side: Side,
        start: u32,
        want: &[Slot],
        got: &[SeenSlot],
    ) -> Option<Difference> {
        let text =
            |word0: u64, word1: u64, pointer: &At| format!("{word0:08x} {word1:08x} {pointer}");
        if want.len() != got.len() {
            let what = format!("{} descriptors, required {}", got.len(), want.len());
            return Some(self.difference(at, what, want.len(), got.len()));
        }
        let differs = |(want, got): &(&Slot, &SeenSlot)| {
            want.word0.0 != u64::from(got.word0)
                || want.word1.0 != u64::from(got.word1)
                || want.pointer != got.pointer
        };
        let index = want.iter().zip(got).position(|pair| differs(&pair))?;
        let (want, got) = (&want[index], &got[index]);
        let slot = start as usize + index;
        let label = format!("{} slot {slot}", side.name());
        // A pointer by another name is shown as far off as it is: only its own address is known.
        let pointer = if want.pointer == got.pointer {
            got.raw
        } else {
            !got.raw
        };
        let desc = |word0: u32, word1: u32, pointer: u64| Desc {
            word: [word0, word1, pointer as u32, (pointer >> 32) as u32],
        };
        let view = match side {
            Side::Tx => UDMA_VIEW_TX,
            Side::Rx => UDMA_VIEW_RX,
        };
        let diff = names::diff(
            &label,
            view,
            Some(&desc(want.word0.0 as u32, want.word1.0 as u32, pointer)),
            Some(&desc(got.word0, got.word1, got.raw)),
        );
        let field = diff.fields.iter().find(|field| field.differs());
        let field = field.map_or("pointer".into(), |field| {
            format!("{} {}", field.word, field.name)
        });
        let expected = text(want.word0.0, want.word1.0, &want.pointer);
        let actual = text(got.word0.into(), got.word1.into(), &got.pointer);
        let what = format!("{label} {field}: {actual}, required {expected}");
        let mut difference = self.difference(at, what, expected, actual);
        if want.pointer == got.pointer {
            difference.descriptors = vec![diff];
        }
        Some(difference)
    }

    /// Lays pieces one behind the other; where the last ends.
    fn add<'j>(&'j self, want: &mut Wanted<'j>, start: u64, pieces: &'j [Piece]) -> u64 {
        let mut at = start;
        for piece in pieces {
            let (pattern, from) = match piece {
                Piece::Of { of, .. } => {
                    let named = of.named();
                    let found = named.and_then(|(name, offset)| {
                        let (_, pattern) = self.initial.get(name)?;
                        Some((Cow::Borrowed(pattern), offset as u64))
                    });
                    found.unwrap_or((Cow::Owned(Pattern::Byte(0)), 0))
                }
                // A fill that cannot be made was refused when the program was interpreted.
                Piece::Fill { fill, .. } => {
                    let pattern = fill.load(self.folder);
                    (Cow::Owned(pattern.unwrap_or(Pattern::Byte(0))), 0)
                }
            };
            want.segments.push(Segment {
                start: at,
                size: piece.size(),
                pattern,
                from,
            });
            at += piece.size();
        }
        at
    }

    fn memory(&self, expected: &Expected, outcome: &Outcome, found: &mut Vec<Difference>) {
        for (name, (size, pattern)) in &self.initial {
            let mut want = Wanted {
                size: *size,
                segments: vec![Segment {
                    start: 0,
                    size: *size,
                    pattern: Cow::Borrowed(pattern),
                    from: 0,
                }],
            };
            for patch in &expected.memory {
                if let Some((place, offset)) = patch.at.named()
                    && place == name
                {
                    self.add(&mut want, offset as u64, &patch.is);
                }
            }
            let got = outcome.memory.get(name).map_or(&[][..], Vec::as_slice);
            let Some(range) = Differing::of(&want, got) else {
                continue;
            };
            let place = range.first as u64;
            let covers = |written: &&Written| {
                written.buffer == *name && place.wrapping_sub(written.start) < written.length
            };
            let writer = self.written.iter().rev().find(covers);
            let mut difference = match writer {
                Some(writer) => self.difference(&writer.step, range.say(name), "", ""),
                None => Difference {
                    step: None,
                    rule: self.rule(None),
                    summary: format!("no step writes there: {}", range.say(name)),
                    expected: Vec::new(),
                    actual: Vec::new(),
                    descriptors: Vec::new(),
                },
            };
            difference.expected = range.dump(&want.line(&range));
            difference.actual = range.dump(range.lines(got));
            found.push(difference);
        }
    }

    /// What the device itself found, for programs that give it no reason to.
    pub fn findings(&self, findings: &[(String, String)]) -> Vec<Difference> {
        if self.program.is(Tag::DisturbsDevice) {
            return Vec::new();
        }
        findings
            .iter()
            .map(|(rule, text)| Difference {
                step: None,
                rule: rule.clone(),
                summary: format!("the engine model: {text}"),
                expected: vec!["no finding".into()],
                actual: vec![text.clone()],
                descriptors: Vec::new(),
            })
            .collect()
    }
}

fn rings(expected: &Expected, outcome: &Outcome, found: &mut Vec<Difference>) {
    for (name, want) in &expected.rings {
        let got = outcome.rings.get(name).cloned().unwrap_or_default();
        for (side, want, got) in [("tx", &want.tx, &got.tx), ("rx", &want.rx, &got.rx)] {
            for ((field, want), (_, got)) in fields(want).into_iter().zip(fields(got)) {
                let Some(want) = want.filter(|want| Some(*want) != got) else {
                    continue;
                };
                let got = got.map_or("nothing".into(), |got| got.to_string());
                let rule = match field {
                    "tail" | "head" => "REGS-2",
                    "phase" => "RING-4",
                    "acked" => "RING-5",
                    _ => "RING-3",
                };
                found.push(Difference {
                    step: None,
                    rule: rule.into(),
                    summary: format!("in the end: {name}.{side} {field} is {got}, required {want}"),
                    expected: vec![format!("{field} {want}")],
                    actual: vec![format!("{field} {got}")],
                    descriptors: Vec::new(),
                });
            }
        }
    }
}

/// Families of rules that speak of an operation, and the rule that says what it does.
fn about(op: &Op) -> (&'static [&'static str], &'static str) {
    const ENGINE: &[&str] = &[
        "TRIG", "DESC", "BLDR", "BARR", "MODL", "RING", "MARK", "ZC", "BTCH", "HOST",
    ];
    const VRING: &[&str] = &[
        "XFER", "PACK", "EDIT", "TMPL", "DUMP", "TRIG", "DESC", "BLDR", "BARR", "MODL",
    ];
    match op {
        Op::Copy { .. } | Op::Packet { .. } | Op::Raw { .. } => (ENGINE, "BLDR-1"),
        Op::Vring { .. } => (VRING, "DUMP-1"),
        Op::Marker { .. } | Op::Wait { .. } => (ENGINE, "MARK-1"),
        Op::Doorbell { .. } => (&["TRIG"], "TRIG-2"),
        Op::Ack { .. } => (&["ACK"], "DEV-4"),
        Op::Memset { .. } => (&["MSET"], "MSET-1"),
        Op::DriverCopy { .. } => (&["BTCH"], "BTCH-6"),
        Op::AsyncCopy { .. } | Op::AsyncWait { .. } => (&["ASYN"], "ASYN-2"),
        Op::Read { .. } => (&["MODL", "BARR", "DEV"], "DEV-12"),
        Op::Write { .. } => (&["DEV"], "DEV-12"),
        Op::Init { .. } | Op::InitBatch { .. } => (&["QINI", "DEV"], "QINI-5"),
        Op::State { .. } => (&["REGS", "QINI"], "REGS-2"),
        Op::EngineState { .. } => (&["REGS"], "REGS-3"),
        Op::SetState { .. } => (&["DEV"], "DEV-21"),
        Op::CopyOut { .. } => (&["DEV"], "DEV-3"),
        Op::CopyDescriptors { .. } => (&["DEV"], "DEV-1"),
        Op::Info { .. } => (&["DEV"], "DEV-19"),
        Op::Alloc { .. } => (&["DEV"], "DEV-9"),
        Op::BarWrite { .. } => (&["BAR0", "DEV"], "DEV-17"),
        Op::Request { .. } | Op::Repeat { .. } => (&["DEV"], "DEV-22"),
    }
}

fn fields(cursor: &Cursor) -> [(&'static str, Option<u32>); 5] {
    [
        ("tail", cursor.tail),
        ("head", cursor.head),
        ("next", cursor.next),
        ("acked", cursor.acked),
        ("phase", cursor.phase),
    ]
}

fn show(value: &Value) -> String {
    match value {
        Value::Number(number) => number.to_string(),
        Value::Place(at) => at.to_string(),
    }
}
