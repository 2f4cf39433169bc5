//! The engine: where its registers lie, its queues and their bring-up.

pub mod axi;
pub mod bar0;
pub mod control;
pub mod driver_structs;
pub mod init;
pub mod iofic;
pub mod layout;
pub mod map;
pub mod prepare;
pub mod queue;
pub mod regs;
pub mod state;
mod tables;

use crate::error::Error;
use crate::io::Side;
use crate::line::DriverVersion;
use queue::Queue;

/// Queues of an engine; a queue is a pair of rings.
pub const QUEUES: usize = 16;

/// The software state of one engine of the kernel line.
#[derive(Debug)]
pub struct Udma {
    /// Driver version followed.
    pub version: DriverVersion,
    /// Number of the engine in its device; reaches the TX queues' state alone (QINI-8).
    pub engine_id: u32,
    /// Queues that may be used, 0..=16.
    num_queues: u8,
    queues: [[Queue; 2]; QUEUES],
}

impl Udma {
    /// An engine as it is right after a successful engine initialisation (QINI-6). The queue count
    /// passes through 8 bits (QINI-8).
    pub fn initialised(version: DriverVersion, num_queues: u32, engine_id: u32) -> Self {
        let queues = core::array::from_fn(|_| {
            [
                Queue::after_engine_init(Side::Tx, version),
                Queue::after_engine_init(Side::Rx, version),
            ]
        });
        Self {
            version,
            engine_id,
            num_queues: num_queues as u8,
            queues,
        }
    }

    /// Queues that may be used.
    pub const fn num_queues(&self) -> u32 {
        self.num_queues as u32
    }

    /// State of one side of queue `qid`, 0..15; none beyond.
    pub fn queue(&self, qid: u32, side: Side) -> Option<&Queue> {
        self.queues
            .get(qid as usize)
            .map(|pair| &pair[side as usize])
    }

    /// The same, to be changed.
    pub fn queue_mut(&mut self, qid: u32, side: Side) -> Option<&mut Queue> {
        self.queues
            .get_mut(qid as usize)
            .map(|pair| &mut pair[side as usize])
    }

    /// Both sides of a queue that may be used.
    ///
    /// # Errors
    /// [`Error::NoQueue`].
    pub(crate) fn pair(&mut self, qid: u32) -> Result<&mut [Queue; 2], Error> {
        let queues = self.num_queues();
        let usable = if crate::fault::mutant(61) {
            queues + 1
        } else {
            queues
        };
        let error = Error::NoQueue { qid, queues };
        if qid >= usable {
            return Err(error);
        }
        self.queues.get_mut(qid as usize).ok_or(error)
    }
}
