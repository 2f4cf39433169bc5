//! Engine bring-up and state, the interrupt controller.

use serde_json::Value;
use udma_reference::abi;

use super::super::reader::RawCase;
use super::{Counts, accesses, code, recorded};
use crate::cases::operation::{Outcome, registers_of};
use crate::cases::{engine, iofic, json};
use crate::law::engine::{OUTSTANDING_2, SPARE, StateRegisters};
use crate::session::Session;
use crate::subject::Event;
use crate::subject::ops::{EngineInit, EngineReport, EngineSw, Iofic};
use crate::wire::register;

/// `queue_init`, kind engine (EINI).
pub fn init(
    session: &mut Session,
    suite: &str,
    raw: &RawCase,
    counts: &mut Counts,
) -> Result<(), String> {
    let registers = registers_of(&raw.input)?;
    let case = EngineInit {
        arch: json::get_arch(&raw.input)?.into(),
        num_queues: json::get_signed(&raw.input, "num_queues")? as u32,
        max_desc: json::get_signed(&raw.input, "max_desc")? as u32,
        reserve_read_id: json::get_flag(&raw.input, "reserve_read_id")?,
    };
    let at = |offset| register(&registers, abi::UDMA_SPACE_ENGINE, offset);
    let mut call = engine::init_call(&case, at(OUTSTANDING_2), at(SPARE));
    call.registers = registers;
    let state = json::member(&raw.output, "state")?;
    let number = |name| json::get32(state, name);
    let state = EngineSw {
        ret: code(&raw.output)?,
        num_of_queues: number("num_of_queues")?,
        num_of_queues_max: number("num_of_queues_max")?,
        rev_id: number("rev_id")?,
        state_m2s: number("state_m2s")?,
        state_s2m: number("state_s2m")?,
        cdesc_size: number("cdesc_size")?,
        reserve_max_read_axi_id: number("reserve_max_read_axi_id")?,
        m2s_offset: json::get(state, "m2s_offset")?,
        s2m_offset: json::get(state, "s2m_offset")?,
        gen_offset: json::get(state, "gen_offset")?,
        gen_ex_offset: json::get(state, "gen_ex_offset")?,
    };
    let answer = Outcome {
        values: engine::init_values(&state),
        events: accesses(&raw.output)?,
        ..Outcome::default()
    };
    recorded::<engine::Init>(session, suite, raw, &call, &answer, false);
    counts.replayed += 1;
    Ok(())
}

/// `queue_state`, kind engine (REGS-3, REGS-4).
pub fn state(
    session: &mut Session,
    suite: &str,
    raw: &RawCase,
    counts: &mut Counts,
) -> Result<(), String> {
    let (input, out) = (&raw.input, &raw.output);
    let queues = json::get_list(input, "rx_queue_cfg")?;
    let queues: Vec<u32> = queues
        .iter()
        .map(|cfg| json::number(cfg, "rx_queue_cfg").map(|cfg| cfg as u32))
        .collect::<Result<_, _>>()?;
    let registers = StateRegisters {
        m2s: json::get32(input, "m2s_state")?,
        s2m: json::get32(input, "s2m_state")?,
        stream: json::get32(input, "s2m_stream_cfg")?,
        queues: <[u32; 16]>::try_from(queues)
            .map_err(|queues| format!("field \"rx_queue_cfg\" has {} values: 16", queues.len()))?,
    };
    let report = EngineReport {
        revision_id: json::get32(out, "revision_id")?,
        max_queues: json::get32(out, "max_queues")?,
        num_queues: json::get32(out, "num_queues")?,
        tx_state: json::get32(out, "tx_state")?,
        rx_state: json::get32(out, "rx_state")?,
    };
    let call = engine::state_call(&registers, report.num_queues);
    let answer = Outcome::of(engine::state_values(&report));
    recorded::<engine::State>(session, suite, raw, &call, &answer, false);
    counts.replayed += 1;
    Ok(())
}

/// `queue_state`, kind `set_state` (REGS-5).
pub fn set_state(
    session: &mut Session,
    suite: &str,
    raw: &RawCase,
    counts: &mut Counts,
) -> Result<(), String> {
    let state = json::get_signed(&raw.input, "state")? as u32;
    let call = crate::cases::operation::Call::of([u64::from(state)]);
    let answer = Outcome {
        values: vec![code(&raw.output)?.into()],
        events: accesses(&raw.output)?,
        ..Outcome::default()
    };
    recorded::<engine::SetState>(session, suite, raw, &call, &answer, false);
    counts.replayed += 1;
    Ok(())
}

/// `iofic` (IOFC-6, IOFC-10 to IOFC-12), at the revision that the driver takes for granted.
pub fn iofic(
    session: &mut Session,
    suite: &str,
    raw: &RawCase,
    counts: &mut Counts,
) -> Result<(), String> {
    let name = json::get_text(&raw.input, "call")?;
    let mut case = Iofic {
        revision: 4,
        ..Iofic::default()
    };
    case.call = match name {
        "m2s_error_ints_unmask" => abi::UDMA_IOFIC_UNMASK_M2S,
        "s2m_error_ints_unmask" => abi::UDMA_IOFIC_UNMASK_S2M,
        "set_axi_error_abort" => abi::UDMA_IOFIC_AXI_ERROR_ABORT,
        "mask_ring_id_error" => abi::UDMA_IOFIC_MASK_RING_ID_ERROR,
        "error_ints_unmask_one" => {
            case.group_base = json::get(&raw.input, "group_base")?;
            case.bits = json::get32(&raw.input, "mask")?;
            abi::UDMA_IOFIC_UNMASK_ONE
        }
        other => return Err(format!("field \"call\" is {other:?}, which is not known")),
    };
    let call = iofic::call(&case, false, registers_of(&raw.input)?);
    let answer = Outcome {
        values: vec![0, 0],
        events: json::get_list(&raw.output, "events")?
            .iter()
            .map(access)
            .collect::<Result<_, _>>()?,
        ..Outcome::default()
    };
    recorded::<iofic::Iofic>(session, suite, raw, &call, &answer, false);
    counts.replayed += 1;
    Ok(())
}

/// An access `["w" | "r", "eng" | "intc", offset, value]`.
fn access(entry: &Value) -> Result<Event, String> {
    let parts = entry.as_array().map_or(&[][..], Vec::as_slice);
    let [kind, space, offset, value] = parts else {
        return Err(format!(
            "field \"events\" holds {entry}: kind, space, offset, value"
        ));
    };
    let space = match space.as_str() {
        Some("eng") => abi::UDMA_SPACE_ENGINE,
        Some("intc") => abi::UDMA_SPACE_INTC,
        _ => return Err(format!("field \"events\" holds {space}: eng or intc")),
    };
    let offset = json::number(offset, "events")?;
    let value = json::number(value, "events")? as u32;
    match kind.as_str() {
        Some("w") => Ok(Event::Write(space, offset, value)),
        Some("r") => Ok(Event::Read(space, offset, value)),
        _ => Err(format!("field \"events\" holds {kind}: w or r")),
    }
}
