//! File 08.

use alloc::format;

use super::List;
use crate::engine::control::{self, EngineState};
use crate::engine::iofic::{self, Group};
use crate::engine::map::base;
use crate::engine::regs::{init as at, interrupt, queue_block, ring, state};
use crate::engine::{QUEUES, axi, bar0, init};
use crate::io::Side;

pub(super) fn list(list: &mut List) {
    registers(list);
    states(list);
    engine_init(list);
    interrupts(list);
    axi_errors(list);
    gate(list);
}

fn registers(list: &mut List) {
    list.all(
        "REGS-1",
        "queue.",
        [
            ("cfg", ring::CFG),
            ("status", ring::STATUS),
            ("drbp_low", ring::BASE_LOW),
            ("drbp_high", ring::BASE_HIGH),
            ("drl", ring::LENGTH),
            ("drhp", ring::HEAD),
            ("drtp_inc", ring::DOORBELL),
            ("drtp", ring::TAIL),
            ("crbp_low", ring::COMPLETION_LOW),
            ("crbp_high", ring::COMPLETION_HIGH),
            ("crhp", ring::COMPLETION_HEAD),
            ("tx", queue_block(Side::Tx, 0)),
            ("rx", queue_block(Side::Rx, 0)),
            (
                "stride",
                queue_block(Side::Tx, 1) - queue_block(Side::Tx, 0),
            ),
        ],
    );
    list.one("REGS-1", "queues", QUEUES as u64);
    let regions = ["m2s", "s2m", "gen", "gen_ex"].map(|path| (path, base(path)));
    list.all("REGS-1", "region.", regions);
}

fn states(list: &mut List) {
    list.numbered("REGS-3", "state.field.", 0, control::STATE_FIELDS);
    list.all(
        "REGS-3",
        "state.",
        [("m2s", state::M2S), ("s2m", state::S2M)],
    );
    list.all(
        "REGS-3",
        "state.",
        [
            ("field_normal", control::FIELD_NORMAL),
            ("field_abort", control::FIELD_ABORT),
            ("disable", EngineState::Disable as u32),
            ("idle", EngineState::Idle as u32),
            ("normal", EngineState::Normal as u32),
            ("abort", EngineState::Abort as u32),
            ("reset", EngineState::Reset as u32),
            ("revision", init::REVISION),
        ],
    );
    list.all(
        "REGS-4",
        "",
        [
            ("state.stream_field", u64::from(control::STREAM_FIELD)),
            ("state.s2m_stream_cfg", state::S2M_STREAM_CFG),
            ("state.stream_off", control::STREAM_OFF.into()),
            ("queue.cfg.prefetch", control::PREFETCH.into()),
            ("queue.cfg.scheduling", control::SCHEDULING.into()),
        ],
    );
    list.all(
        "REGS-5",
        "",
        [
            ("state.m2s_change", state::M2S_CHANGE),
            ("state.s2m_change", state::S2M_CHANGE),
            ("change.disable", control::CHANGE_DISABLE.into()),
            ("change.normal", control::CHANGE_NORMAL.into()),
            ("change.abort", control::CHANGE_ABORT.into()),
        ],
    );
}

fn engine_init(list: &mut List) {
    list.one("EINI-1", "init.all_queues", init::ALL_QUEUES);
    list.one("EINI-2", "init.min_packet", init::MIN_PACKET);
    list.one("EINI-2", "init.max_packet", init::MAX_PACKET);
    list.one("EINI-4", "init.completion_size", init::COMPLETION_SIZE);
    let offsets = [
        ("02", at::M2S_DATA_CFG),
        ("03", at::M2S_OUTSTANDING),
        ("04", at::AXI_TIMEOUT),
        ("05", at::M2S_APPLICATION_ACK),
        ("06", at::M2S_CFG_LEN),
        ("07", at::M2S_STREAM_CFG),
        ("08", at::TX_SELECT),
        ("09", at::M2S_DATA_READ),
        ("10", at::S2M_APPLICATION_ACK),
        ("11", at::RX_SELECT),
        ("12", at::S2M_OUTSTANDING_READ),
        ("13", at::S2M_OUTSTANDING_WRITE),
        ("14", at::S2M_OUTSTANDING_WRITE_2),
        ("15", at::SPARE),
        ("18", at::S2M_COMPLETION),
        ("19", at::M2S_PREFETCH_2),
        ("20", at::M2S_PREFETCH_3),
        ("21", at::S2M_PREFETCH_3),
        ("22", at::M2S_DESCRIPTOR_READ),
        ("23", at::S2M_DESCRIPTOR_READ),
    ];
    for (step, offset) in offsets {
        list.one("EINI-3", format!("init.step{step}.offset"), offset);
    }
    list.one("EINI-3", "init.step08.stride", at::SELECT_STRIDE);
    list.one("EINI-3", "init.step11.selects", init::RX_SELECTS);
    list.all(
        "EINI-3",
        "init.step",
        [
            ("01.value", init::QUEUE_CFG),
            ("02.value.sunda", init::DATA_CFG_SUNDA),
            ("02.value", init::DATA_CFG),
            ("03.value.reserved", init::OUTSTANDING_RESERVED),
            ("03.value", init::OUTSTANDING),
            ("04.value", init::AXI_TIMEOUT),
            ("06.value", init::CFG_LEN),
            ("07.value", init::STREAM_CFG),
            ("08.value", init::SELECT_ALL),
            ("09.value", init::BURST),
            ("12.value.reserved", init::READS_RESERVED),
            ("12.value", init::READS),
            ("13.value", init::WRITES),
            ("14.field", init::WRITES_2_FIELD),
            ("14.value", init::WRITES_2),
            ("15.bit", init::SPARE_BIT),
            ("18.value", init::COMPLETION_CFG),
            ("19.value", init::PREFETCH_2),
            ("20.value", init::PREFETCH_3),
            ("20.shift", init::PREFETCH_3_SHIFT),
        ],
    );
}

fn interrupts(list: &mut List) {
    list.all(
        "IOFC-1",
        "iofic.",
        [
            ("cause", interrupt::CAUSE),
            ("cause_set", interrupt::CAUSE_SET),
            ("mask", interrupt::MASK),
            ("mask_clear", interrupt::MASK_CLEAR),
            ("status", interrupt::STATUS),
            ("control", interrupt::CONTROL),
            ("abort_mask", interrupt::ABORT_MASK),
            ("group", interrupt::GROUP),
        ],
    );
    list.all(
        "IOFC-2",
        "iofic.",
        [
            ("primary", interrupt::PRIMARY),
            ("secondary", interrupt::SECONDARY),
            ("a", Group::A.base()),
            ("b", Group::B.base()),
            ("c", Group::C.base()),
            ("d", Group::D.base()),
            ("primary_groups", iofic::PRIMARY_GROUPS.into()),
            ("third_group_revision", iofic::THIRD_GROUP_REVISION.into()),
        ],
    );
    list.all(
        "IOFC-3",
        "iofic.control.",
        [
            ("set_on_posedge", iofic::SET_ON_POSEDGE),
            ("mask_msix", iofic::MASK_MSIX),
            ("config", iofic::CONTROL),
        ],
    );
    list.one("IOFC-7", "iofic.control.auto_clear", iofic::AUTO_CLEAR);
    list.all(
        "IOFC-6",
        "iofic.",
        [
            ("m2s.a", iofic::M2S_ERRORS_A),
            ("m2s.c", iofic::M2S_ERRORS_C),
            ("m2s.d", iofic::M2S_SUMMARY),
            ("s2m.b", iofic::S2M_ERRORS_B),
            ("s2m.c", iofic::S2M_ERRORS_C),
            ("s2m.d", iofic::S2M_SUMMARY),
        ],
    );
    list.numbered("IOFC-8", "iofic.summary.", 0, iofic::SUMMARY);
}

fn axi_errors(list: &mut List) {
    list.all(
        "IOFC-11",
        "axi.",
        [
            ("tables", axi::TABLES),
            ("detection", interrupt::DETECTION),
            ("detection_stride", interrupt::DETECTION_STRIDE),
            ("detect", axi::DETECT.into()),
            ("table_address", interrupt::CONTROL_TABLE_ADDRESS),
            ("table_data", interrupt::CONTROL_TABLE_DATA),
            ("table_stride", interrupt::CONTROL_TABLE_STRIDE),
            ("table_entries", axi::TABLE_ENTRIES.into()),
            ("address_step", axi::TABLE_ADDRESS_STEP.into()),
            ("address_low", axi::TABLE_ADDRESS_LOW.into()),
            ("data", axi::TABLE_DATA.into()),
            ("no_timeout", axi::NO_TIMEOUT.into()),
        ],
    );
    let words = interrupt::DETECTION_WORDS;
    list.numbered("IOFC-11", "axi.detection_word.", 0, words);
    list.numbered("IOFC-11", "axi.group.", 0, interrupt::AXI_GROUPS);
    list.all(
        "IOFC-12",
        "ring_id.",
        [
            ("m2s_bit", u64::from(axi::M2S_RING_ID_ERROR)),
            ("s2m_bit", axi::S2M_RING_ID_ERROR.into()),
            ("top_bit", axi::TOP_RING_ID_ERROR.into()),
            ("top_first", axi::TOP_MASK_FIRST),
            ("top_second", axi::TOP_MASK_SECOND),
            ("m2s_error_log", state::M2S_ERROR_LOG_MASK),
            ("s2m_error_log", state::S2M_ERROR_LOG_MASK),
        ],
    );
}

fn gate(list: &mut List) {
    let blocked = bar0::BLOCKED_PER_ENGINE as u64;
    list.one("BAR0-1", "bar0.blocked_per_engine", blocked);
    list.numbered("BAR0-1", "bar0.blocked.", 0, bar0::BLOCKED);
    let archs: [(&str, &[bar0::EngineRun]); 2] =
        [("sunda", &bar0::RUNS_SUNDA), ("cayman", &bar0::RUNS)];
    for (arch, runs) in archs {
        for (number, run) in runs.iter().enumerate() {
            let name = format!("bar0.{arch}.{number}");
            list.one("BAR0-2", format!("{name}.base"), run.base);
            list.one("BAR0-2", format!("{name}.count"), run.count);
            if run.count > 1 {
                list.one("BAR0-2", format!("{name}.stride"), run.stride);
            }
        }
    }
    list.one("BAR0-3", "bar0.misc_ram.sunda", bar0::MISC_RAM_SUNDA);
    list.one("BAR0-3", "bar0.misc_ram", bar0::MISC_RAM);
    let words = bar0::MISC_RAM_WORDS;
    list.numbered("BAR0-3", "bar0.misc_ram.word.", 0, words);
}
