//! What is reported of a queue from its registers (REGS-2).

use serde_json::{Value, json};
use udma_reference::abi;

use super::json;
use crate::family::Family;
use crate::law::program::{self, RING_REGISTERS, RingRegisters};
use crate::line::Line;
use crate::subject::{EngineCfg, Subject, Tape};
use crate::wire::{Ring, RingState};

/// Reads a queue back from a register file.
pub struct State;

/// A register file of one queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateCase {
    /// Queue id.
    pub qid: u32,
    /// Software status of TX and RX.
    pub sw_status: [u32; 2],
    /// Registers of TX and RX.
    pub registers: [RingRegisters; 2],
}

impl Family for State {
    type Case = StateCase;
    type Answer = [RingState; 2];
    const NAME: &'static str = "queue_state";

    fn ask(subject: &dyn Subject, case: &StateCase) -> Option<[RingState; 2]> {
        let tape = Tape::default();
        for ring in Ring::BOTH {
            for ((offset, _), value) in RING_REGISTERS.iter().zip(case.registers[ring as usize]) {
                let offset = program::block(ring, case.qid) + offset;
                tape.set(abi::UDMA_SPACE_ENGINE, offset, value);
            }
        }
        let engine = EngineCfg {
            arch: abi::UDMA_ARCH_CAYMAN as u8,
            driver: 0,
            num_queues: 16,
            engine_id: 1,
        };
        subject
            .open(&engine, &tape)?
            .queue_state(case.qid, case.sw_status)
    }

    fn required(line: Line, case: &StateCase) -> Option<[RingState; 2]> {
        (line == Line::Kernel).then(|| {
            [0, 1].map(|side| program::ring_state(&case.registers[side], case.sw_status[side]))
        })
    }

    fn rules(_line: Line, _case: &StateCase) -> Vec<(&'static str, bool)> {
        ["REGS-2", "REGS-1"].map(|rule| (rule, false)).to_vec()
    }

    fn broken(
        _line: Line,
        _case: &StateCase,
        want: &[RingState; 2],
        got: &[RingState; 2],
    ) -> Vec<&'static str> {
        if want == got {
            return Vec::new();
        }
        // A register that is not reached at all reads 0.
        let raw = |state: &RingState| (state.raw_base, state.raw_length, state.hw_status);
        let reached = want
            .iter()
            .zip(got)
            .all(|(want, got)| raw(want) == raw(got));
        if reached {
            vec!["REGS-2"]
        } else {
            vec!["REGS-1", "REGS-2"]
        }
    }

    fn simpler(case: &StateCase) -> Vec<StateCase> {
        let mut cases = Vec::new();
        for side in 0..2 {
            for index in 0..RING_REGISTERS.len() {
                let value = case.registers[side][index];
                for simpler in [
                    0,
                    value & 0xffff_0000,
                    value & 0xffff,
                    value & value.wrapping_sub(1),
                ] {
                    if simpler < value {
                        let mut simple = *case;
                        simple.registers[side][index] = simpler;
                        cases.push(simple);
                    }
                }
            }
        }
        if case.qid != 0 {
            cases.push(StateCase { qid: 0, ..*case });
        }
        cases
    }

    fn to_json(case: &StateCase) -> Value {
        let registers = |side: usize| {
            RING_REGISTERS
                .iter()
                .zip(case.registers[side])
                .map(|((_, name), value)| ((*name).to_string(), json::hex(value.into())))
                .collect::<serde_json::Map<_, _>>()
        };
        json!({
            "kind": "queue",
            "qid": case.qid,
            "sw_status": case.sw_status,
            "tx_regs": registers(0),
            "rx_regs": registers(1),
        })
    }

    fn from_json(value: &Value) -> Result<StateCase, String> {
        let registers = |name: &str| {
            let file = json::member(value, name)?;
            let mut out = [0; 9];
            for (slot, (_, register)) in out.iter_mut().zip(RING_REGISTERS) {
                *slot = json::get32(file, register)?;
            }
            Ok::<_, String>(out)
        };
        let status = json::get_list(value, "sw_status")?;
        let [tx, rx] = status else {
            return Err(format!(
                "field \"sw_status\" has {} values: tx, rx",
                status.len()
            ));
        };
        let number = |value: &Value| json::number(value, "sw_status").map(|value| value as u32);
        let qid = if value.get("qid").is_some() {
            json::get32(value, "qid")?
        } else {
            0
        };
        if qid >= 16 {
            return Err(format!("field \"qid\" is {qid}: 0 to 15"));
        }
        Ok(StateCase {
            qid,
            sw_status: [number(tx)?, number(rx)?],
            registers: [registers("tx_regs")?, registers("rx_regs")?],
        })
    }

    fn show(_case: &StateCase, answer: &[RingState; 2]) -> Vec<String> {
        let line = |(name, state): (&str, &RingState)| format!("{name} {state:?}");
        ["tx", "rx"].into_iter().zip(answer).map(line).collect()
    }
}
