//! Engine initialisation: the register program of 2.26.5.0 and the state afterwards (EINI).

use super::iofic::{Iofic, unmask_m2s_errors, unmask_s2m_errors};
use super::regs::{self, init as at, ring};
use super::{QUEUES, Udma};
use crate::Arch;
use crate::error::{EINVAL, FAILED};
use crate::fault::mutant;
use crate::io::{Mmio, Side, Space};
use crate::line::{DriverVersion, Line};

/// Revision that is reported; a constant, never read (EINI-4).
pub const REVISION: u32 = 4;
/// Queue count that means all of them (EINI-1).
pub const ALL_QUEUES: u8 = 0xff;
/// Fewest descriptors per packet (EINI-2).
pub const MIN_PACKET: u8 = 8;
/// Most descriptors per packet (EINI-2).
pub const MAX_PACKET: u8 = 128;
/// Bytes of a completion descriptor (EINI-4).
pub const COMPLETION_SIZE: u32 = 16;

// EINI-3, by step.
/// Step 1: prefetch (bit 16) and scheduling (bit 17) on.
pub const QUEUE_CFG: u32 = 0x0003_0000;
/// Step 2 on v2.
pub const DATA_CFG_SUNDA: u32 = 0x0100_0400;
/// Step 2 on v3 and v4.
pub const DATA_CFG: u32 = 0x0100_08f8;
/// Step 3 with a reserved read id.
pub const OUTSTANDING_RESERVED: u32 = 0x0000_086f;
/// Step 3 without.
pub const OUTSTANDING: u32 = 0x2080_8080;
/// Step 4.
pub const AXI_TIMEOUT: u32 = 100_000_000;
/// Step 6.
pub const CFG_LEN: u32 = 0x010f_ffff;
/// Step 7.
pub const STREAM_CFG: u32 = 0x102;
/// Steps 8 and 11.
pub const SELECT_ALL: u32 = 0xffff_ffff;
/// RX selects of a queue, step 11.
pub const RX_SELECTS: u64 = 3;
/// Steps 9, 22 and 23.
pub const BURST: u32 = 0x0001_0008;
/// Step 12 with a reserved read id.
pub const READS_RESERVED: u32 = 0x0040_0008;
/// Step 12 without.
pub const READS: u32 = 0x0040_0080;
/// Step 13.
pub const WRITES: u32 = 0x4080_4080;
/// Step 14: the field that is replaced.
pub const WRITES_2_FIELD: u32 = 0x3ff;
/// Step 14: what it becomes.
pub const WRITES_2: u32 = 0x100;
/// Step 15: the bit that is cleared.
pub const SPARE_BIT: u32 = 1;
/// Step 18.
pub const COMPLETION_CFG: u32 = 0x1004;
/// Step 19, beside the descriptors per packet.
pub const PREFETCH_2: u32 = 0x10000;
/// Steps 20 and 21, beside the descriptors per packet.
pub const PREFETCH_3: u32 = 0x81;
/// Place of the descriptors per packet in steps 20 and 21.
pub const PREFETCH_3_SHIFT: u32 = 8;

/// What an engine is asked to be. Counts are as a caller passes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EngineParams {
    /// The architecture.
    pub arch: Arch,
    /// Queues; cut to 8 bits, 0xff means 16 (EINI-1).
    pub num_queues: u32,
    /// Most descriptors of a packet; cut to 8 bits (EINI-2).
    pub max_packet: u32,
    /// The "reserve read id" option, R in EINI-3.
    pub reserve_read_id: bool,
}

/// A refused engine initialisation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InitError {
    /// EINI-1; nothing was written.
    #[error("{count} queues: at most 16, or 255 for all")]
    Queues {
        /// The count after the cut.
        count: u8,
    },
    /// EINI-2; steps 1 to 18 were written.
    #[error("{count} descriptors per packet: 8 to 128")]
    Packet {
        /// The count after the cut.
        count: u8,
    },
}

impl InitError {
    /// The code that the kernel line returns.
    pub const fn code(self) -> i32 {
        match self {
            Self::Queues { .. } => EINVAL,
            Self::Packet { .. } => FAILED,
        }
    }
}

/// What the driver remembers of an engine (EINI-4); whatever the outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EngineSw {
    /// Queues that may be used, as cut.
    pub num_queues: u8,
    /// Queues of the unit.
    pub max_queues: u8,
    /// [`REVISION`].
    pub revision: u32,
    /// State of M2S: 0.
    pub state_m2s: u32,
    /// State of S2M: 0.
    pub state_s2m: u32,
    /// Bytes of a completion descriptor; 0 as long as the engine was refused for its queue count.
    pub completion_size: u32,
    /// R.
    pub reserve_read_id: bool,
    /// Whether the register regions were set, which a refused queue count prevents.
    pub regions_set: bool,
}

/// Runs the program on an engine's registers (EINI-3).
pub fn init_engine(
    mmio: &mut impl Mmio,
    params: &EngineParams,
) -> (EngineSw, Result<(), InitError>) {
    let mut count = params.num_queues as u8;
    if count == ALL_QUEUES {
        count = QUEUES as u8;
    }
    let mut state = EngineSw {
        num_queues: count,
        max_queues: QUEUES as u8,
        revision: REVISION,
        state_m2s: 0,
        state_s2m: 0,
        completion_size: 0,
        reserve_read_id: params.reserve_read_id && !mutant(366),
        regions_set: false,
    };
    let uncut = mutant(357) && params.num_queues > u32::from(ALL_QUEUES);
    if usize::from(count) > QUEUES || uncut || mutant(358) && count == 0 {
        return (state, Err(InitError::Queues { count }));
    }
    state.completion_size = COMPLETION_SIZE;
    state.regions_set = true;
    let max_packet = params.max_packet as u8;
    let mut program = Program {
        mmio,
        params,
        count,
    };
    if mutant(360) && check_packet(max_packet).is_err() {
        return (state, check_packet(max_packet));
    }
    program.before_the_packet_limit();
    let checked = check_packet(max_packet);
    if checked.is_ok() {
        program.after_the_packet_limit(max_packet.into());
    }
    (state, checked)
}

/// EINI-2.
fn check_packet(count: u8) -> Result<(), InitError> {
    let least = if mutant(361) { 1 } else { MIN_PACKET };
    if (least..=MAX_PACKET).contains(&count) {
        Ok(())
    } else {
        Err(InitError::Packet { count })
    }
}

struct Program<'a, M> {
    mmio: &'a mut M,
    params: &'a EngineParams,
    count: u8,
}

impl<M: Mmio> Program<'_, M> {
    fn write(&mut self, offset: u64, value: u32) {
        self.mmio.write32(Space::Engine, offset, value);
    }

    fn read(&mut self, offset: u64) -> u32 {
        self.mmio.read32(Space::Engine, offset)
    }

    /// All queues, whatever the count (EINI-1).
    fn queues(&self) -> core::ops::Range<u32> {
        0..if mutant(359) {
            self.count.into()
        } else {
            QUEUES as u32
        }
    }

    /// Steps 1 to 18.
    fn before_the_packet_limit(&mut self) {
        let EngineParams {
            arch,
            reserve_read_id,
            ..
        } = *self.params;
        let reserve = reserve_read_id ^ mutant(364);
        for qid in self.queues() {
            self.write(regs::queue_block(Side::Tx, qid) + ring::CFG, QUEUE_CFG);
            self.write(regs::queue_block(Side::Rx, qid) + ring::CFG, QUEUE_CFG);
        }
        let old = arch == Arch::Sunda || mutant(365) && arch == Arch::Cayman;
        self.write(
            at::M2S_DATA_CFG,
            if old { DATA_CFG_SUNDA } else { DATA_CFG },
        );
        self.write(
            at::M2S_OUTSTANDING,
            if reserve {
                OUTSTANDING_RESERVED
            } else {
                OUTSTANDING
            },
        );
        self.write(at::AXI_TIMEOUT, AXI_TIMEOUT);
        self.write(at::M2S_APPLICATION_ACK, 0);
        self.write(at::M2S_CFG_LEN, CFG_LEN);
        self.write(at::M2S_STREAM_CFG, STREAM_CFG);
        for qid in self.queues() {
            self.write(
                at::TX_SELECT + at::SELECT_STRIDE * u64::from(qid),
                SELECT_ALL,
            );
        }
        self.write(at::M2S_DATA_READ, BURST);
        self.write(at::S2M_APPLICATION_ACK, 0);
        for qid in self.queues() {
            for select in 0..RX_SELECTS {
                let offset = at::RX_SELECT + at::SELECT_STRIDE * u64::from(qid) + 4 * select;
                self.write(offset, SELECT_ALL);
            }
        }
        self.write(
            at::S2M_OUTSTANDING_READ,
            if reserve { READS_RESERVED } else { READS },
        );
        self.write(at::S2M_OUTSTANDING_WRITE, WRITES);
        if arch == Arch::Mariana || mutant(362) && arch == Arch::Cayman {
            let value = self.read(at::S2M_OUTSTANDING_WRITE_2);
            self.write(
                at::S2M_OUTSTANDING_WRITE_2,
                value & !WRITES_2_FIELD | WRITES_2,
            );
        }
        let spare = self.read(at::SPARE);
        if spare & SPARE_BIT != 0 || !mutant(363) {
            self.write(at::SPARE, spare & !SPARE_BIT);
        }
        // The driver's own line, at the revision it takes for granted.
        let iofic = Iofic::new(Line::Kernel(DriverVersion::default()), REVISION);
        unmask_m2s_errors(&iofic, self.mmio);
        unmask_s2m_errors(&iofic, self.mmio);
        self.write(at::S2M_COMPLETION, COMPLETION_CFG);
    }

    /// Steps 19 to 23.
    fn after_the_packet_limit(&mut self, max_packet: u32) {
        self.write(at::M2S_PREFETCH_2, PREFETCH_2 | max_packet);
        let prefetch = max_packet << PREFETCH_3_SHIFT | PREFETCH_3;
        self.write(at::M2S_PREFETCH_3, prefetch);
        self.write(at::S2M_PREFETCH_3, prefetch);
        self.write(at::M2S_DESCRIPTOR_READ, BURST);
        self.write(at::S2M_DESCRIPTOR_READ, BURST);
    }
}

impl Udma {
    /// Initialises an engine and gives its software state.
    ///
    /// # Errors
    /// [`InitError::Queues`] before anything is written, [`InitError::Packet`] after step 18.
    pub fn init(
        mmio: &mut impl Mmio,
        version: DriverVersion,
        params: &EngineParams,
        engine_id: u32,
    ) -> Result<Self, InitError> {
        let (state, result) = init_engine(mmio, params);
        result?;
        Ok(Self::initialised(
            version,
            state.num_queues.into(),
            engine_id,
        ))
    }
}
