//! The completion buffer and the marker that ends a batch (MARK).

use super::host::host_address;
use crate::arch::Arch;
use crate::copy::PairRequest;
use crate::engine::Udma;
use crate::error::Error;
use crate::fault::mutant;
use crate::io::{Memory, RingMemory};
use crate::ordering::Ordering;

/// The word that the marker's self-copy carries.
pub const MARKER: u32 = 0xabcd_ef01;
/// Bytes of the self-copy.
const WORD: u64 = 4;
/// Bytes of a completion buffer: source word, poll word.
pub const COMPLETION_BYTES: u64 = 8;
/// Completion buffers of a transfer queue: SYNC, ASYNC1, ASYNC2 (MARK-4).
pub const SLOTS: usize = 3;

/// Two 32-bit words of host memory: source at +0, poll word at +4 (MARK-1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CompletionBuffer {
    /// CPU physical address.
    address: u64,
    /// Decides the form of the address in descriptors (HOST-1).
    arch: Arch,
}

impl CompletionBuffer {
    /// The buffer at a CPU physical address.
    pub const fn new(arch: Arch, address: u64) -> Self {
        Self { address, arch }
    }

    /// The buffer of a slot, 0..3, of a transfer queue whose first one is at `base` (MARK-4).
    pub(crate) fn of_slot(arch: Arch, base: u64, slot: usize) -> Self {
        let slot = if mutant(118) { 0 } else { slot as u64 };
        Self::new(arch, base + COMPLETION_BYTES * slot)
    }

    /// CPU physical address of the source word.
    pub fn source(&self) -> u64 {
        self.cpu(self.address)
    }

    /// CPU physical address of the poll word.
    pub fn poll_word(&self) -> u64 {
        self.cpu(self.address + WORD)
    }

    /// HOST-1: the CPU's own accesses use the plain address.
    fn cpu(&self, address: u64) -> u64 {
        if mutant(122) {
            host_address(self.arch, address)
        } else {
            address
        }
    }

    /// Writes both words, source first, and stages the 4-byte self-copy (MARK-1).
    ///
    /// # Errors
    /// Those of [`Udma::prepare`]; the two words are written by then.
    pub fn stage(
        &self,
        udma: &mut Udma,
        host: &mut (impl Memory + RingMemory),
        qid: u32,
        mode: Ordering,
    ) -> Result<(), Error> {
        self.arm(host);
        self.prepare(udma, host, qid, mode)
    }

    /// The stores of [`Self::stage`].
    pub(crate) fn arm(&self, memory: &mut impl Memory) {
        memory.store32(self.source(), MARKER);
        if !mutant(113) {
            memory.store32(self.poll_word(), 0);
        }
    }

    /// The descriptors of [`Self::stage`].
    pub(crate) fn prepare(
        &self,
        udma: &mut Udma,
        memory: &mut impl RingMemory,
        qid: u32,
        mode: Ordering,
    ) -> Result<(), Error> {
        let source = if mutant(121) {
            self.address
        } else {
            host_address(self.arch, self.address)
        };
        let request = PairRequest {
            src: source,
            dst: source + if mutant(117) { 2 * WORD } else { WORD },
            size: if mutant(111) { 2 * WORD } else { WORD },
            mode: mode as i32,
            dst_int: mutant(119),
            ..PairRequest::default()
        };
        udma.prepare(memory, qid, &request)
    }

    /// Reads the poll word once.
    pub fn is_complete(&self, memory: &mut impl Memory) -> bool {
        memory.load32(self.poll_word()) == MARKER
    }

    /// What the poller does on a match: clears the poll word, then writes the source (MARK-3).
    pub fn rearm(&self, memory: &mut impl Memory) {
        if mutant(116) {
            memory.store32(self.source(), MARKER);
            memory.store32(self.poll_word(), 0);
            return;
        }
        if mutant(115) {
            return;
        }
        memory.store32(self.poll_word(), 0);
        memory.store32(self.source(), MARKER);
    }
}
