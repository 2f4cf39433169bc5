//! Host memory as the engine sees it, and the queue that serves a core (HOST-1, HOST-2).

use crate::arch::Arch;
use crate::engine::layout::HOST_RING_REQUEST;
use crate::fault::mutant;
use crate::ring::ring_size;

/// Address bit under which the engine sees host memory (HOST-1).
pub fn host_window(arch: Arch) -> u64 {
    match arch {
        Arch::Sunda if mutant(123) => 0x4000_0000_0000,
        Arch::Sunda => 0x1000_0000_0000,
        Arch::Cayman | Arch::Mariana => 0x4000_0000_0000,
    }
}

/// A CPU physical address in the form that descriptors and ring base registers take (HOST-1). A
/// device address is used as it is and must not come here.
pub fn host_address(arch: Arch, cpu: u64) -> u64 {
    cpu | host_window(arch)
}

/// Engine and queue that carry the host transfers of one core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Engine number in the device.
    pub engine: u32,
    /// Queue of that engine.
    pub queue: u32,
}

/// Where host transfers of core `core` go (HOST-2); none for a core that the architecture does not
/// have.
pub fn host_queue(arch: Arch, core: u32) -> Option<Place> {
    match arch {
        Arch::Sunda => (core < 2).then(|| Place {
            engine: 32 + core,
            queue: 0,
        }),
        Arch::Cayman | Arch::Mariana => (core < 8).then(|| Place {
            engine: 128 + if mutant(124) { core } else { core / 2 },
            queue: if mutant(125) { 0 } else { core % 2 },
        }),
    }
}

/// Descriptors of each ring of a host queue: 4096 are asked for (HOST-2, RING-9).
pub fn host_ring_size() -> u32 {
    if mutant(126) {
        HOST_RING_REQUEST as u32
    } else {
        ring_size(HOST_RING_REQUEST as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // Layouts of golden/memcpy_trace: v2 core 1, v3 core 7.
    #[test]
    fn recorded_places() {
        let place = |engine, queue| Some(Place { engine, queue });
        assert_eq!(host_queue(Arch::Sunda, 1), place(33, 0));
        assert_eq!(host_queue(Arch::Sunda, 2), None);
        assert_eq!(host_queue(Arch::Cayman, 7), place(131, 1));
        assert_eq!(host_queue(Arch::Mariana, 8), None);
        assert_eq!(host_ring_size(), 8192);
        assert_eq!(
            host_address(Arch::Sunda, 0x1_0004_3000),
            0x1001_0004_3000 // the marker of v2, core 0
        );
    }
}
