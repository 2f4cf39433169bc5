//! Where allocations lie: host memory of the machine, channels of the devices.

use std::collections::BTreeMap;

use crate::program::{Arch, Place};

/// Bytes that allocations are rounded to (DEV-9).
pub const PAGE: u64 = 4096;
/// First CPU physical address of host memory that is given out.
const HOST_FIRST: u64 = 0x1_0000_0000;
/// Host memory of the machine.
const HOST_BYTES: u64 = 64 << 30;
/// Distance of the devices' memories, and of the channels of one.
const DEVICE_STRIDE: u64 = 1 << 38;
const CHANNEL_STRIDE: u64 = 1 << 36;
/// What a channel keeps for itself: no allocation is at address 0.
const CHANNEL_FIRST: u64 = 0x10_0000;

/// DRAM channels of a device.
pub const fn channels(arch: Arch) -> u32 {
    match arch {
        Arch::V2 => 2,
        Arch::V3 | Arch::V4 => 4,
    }
}

/// Bytes of a channel.
const fn channel_bytes(arch: Arch) -> u64 {
    match arch {
        Arch::V2 => 16 << 30,
        Arch::V3 | Arch::V4 => 24 << 30,
    }
}

/// Where an allocation comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Space {
    /// Host memory.
    Host,
    /// A channel of a device.
    Channel(usize, u32),
}

impl Space {
    /// First address and the one behind the last.
    fn bounds(self, arch: Arch) -> (u64, u64) {
        match self {
            Self::Host => (HOST_FIRST, HOST_FIRST + HOST_BYTES),
            Self::Channel(device, channel) => {
                let start = device as u64 * DEVICE_STRIDE + u64::from(channel) * CHANNEL_STRIDE;
                (start + CHANNEL_FIRST, start + channel_bytes(arch))
            }
        }
    }
}

/// One allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// Device it was allocated through.
    pub device: usize,
    /// Where it is.
    pub place: Place,
    /// Space it came from.
    pub space: Space,
    /// CPU physical or device address.
    pub start: u64,
    /// Bytes, rounded.
    pub size: u64,
    /// Bytes asked for.
    pub asked: u64,
    /// Owner, by thread group.
    pub owner: u32,
    /// Thread group that opened the file it was allocated through.
    pub opener: u32,
    /// Core it is for.
    pub core: u32,
}

impl Chunk {
    /// DEV-11.
    pub fn holds(&self, offset: u64, size: u64) -> bool {
        size <= self.size && offset <= self.size - size
    }

    /// Its address as the engine sees it (HOST-1).
    pub fn address(&self, arch: Arch) -> u64 {
        match self.place {
            Place::Host => udma_oracle::model::Arch::from(arch).host(self.start),
            Place::Device => self.start,
        }
    }
}

/// What is given out of each space, by start; a page is left free behind each.
#[derive(Clone, Debug, Default)]
pub struct Spaces {
    used: BTreeMap<Space, (u64, BTreeMap<u64, u64>)>,
}

impl Spaces {
    /// Takes `size` bytes; none when there is no room.
    pub fn take(&mut self, arch: Arch, space: Space, size: u64, align: u64) -> Option<u64> {
        let (low, high) = space.bounds(arch);
        let align = align.max(PAGE).checked_next_power_of_two()?;
        let (next, used) = self.used.entry(space).or_insert((low, BTreeMap::new()));
        // From the last place on, then from the beginning.
        for start in [*next, low] {
            let mut at = start.checked_next_multiple_of(align)?;
            loop {
                let end = at.checked_add(size)?.checked_add(PAGE)?;
                if end > high {
                    break;
                }
                let before = used.range(..end).next_back();
                match before {
                    Some((_, taken)) if *taken > at => {
                        at = taken.checked_next_multiple_of(align)?;
                    }
                    _ => {
                        used.insert(at, end);
                        *next = end;
                        return Some(at);
                    }
                }
            }
        }
        None
    }

    /// Gives back.
    pub fn give(&mut self, space: Space, start: u64) {
        if let Some((_, used)) = self.used.get_mut(&space) {
            used.remove(&start);
        }
    }
}
