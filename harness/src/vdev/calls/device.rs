//! The device, its driver, its registers.

use std::mem::offset_of;

use udma::abi::device::{CompatibleVersion, DeviceBasicInfo, DeviceDriverInfo, DeviceInfo};
use udma::abi::dma::{BarRw, DmaEngGetState, DmaEngSetState, DmaEngState};
use udma::engine::{bar0, control};

use super::{Caller, EINVAL};
use crate::argument::{Argument, copied};
use crate::program::Arch;
use crate::vdev::board::{Board, ENGINES};
use crate::vdev::fault::Fault;
use crate::vdev::host::Hands;
use crate::vdev::user::User;

/// Bus addresses and sizes of BAR0 and BAR4.
const BAR_ADDRESS: [u64; 2] = [0x38_0000_0000, 0x40_0000_0000];
const BAR_SIZE: [u64; 2] = [1 << 32, 1 << 36];
/// Most registers of one call; the driver has to allocate twelve bytes for each.
const MOST_REGISTERS: u32 = 1 << 20;
/// ABI versions that the driver offers.
const COMPATIBLE: [u32; 2] = [12, 2];
/// Bytes of an engine's registers.
const ENGINE_BYTES: u64 = 0x4_0000;
/// -ENOMEM.
const ENOMEM: i64 = -12;

type Answer = Result<i64, i64>;

impl Board {
    pub(super) fn device_info(&mut self, at: u64, user: &mut dyn User) -> Answer {
        let mut info = Argument::new::<DeviceInfo>();
        info.set_word(
            offset_of!(DeviceInfo, architecture),
            self.config.arch.number(),
        );
        info.set_word(offset_of!(DeviceInfo, revision), 0);
        for bar in 0..2 {
            info.set_long(
                offset_of!(DeviceInfo, bar_address) + bar * 8,
                BAR_ADDRESS[bar],
            );
            info.set_long(offset_of!(DeviceInfo, bar_size) + bar * 8, BAR_SIZE[bar]);
        }
        info.write(user, at)
    }

    pub(super) fn basic_info(&mut self, at: u64, user: &mut dyn User) -> Answer {
        let mut info = Argument::new::<DeviceBasicInfo>();
        info.set_word(
            offset_of!(DeviceBasicInfo, architecture),
            self.config.arch.number(),
        );
        info.write(user, at)
    }

    pub(super) fn driver_info(&mut self, at: u64, user: &mut dyn User) -> Answer {
        let mut info = Argument::new::<DeviceDriverInfo>();
        info.set_word(
            offset_of!(DeviceDriverInfo, architecture),
            self.config.arch.number(),
        );
        let size = size_of::<DeviceDriverInfo>() as u32;
        info.set_word(offset_of!(DeviceDriverInfo, size), size);
        info.write(user, at)
    }

    pub(super) fn compatible_version(at: u64, user: &mut dyn User) -> Answer {
        let mut info = Argument::new::<CompatibleVersion>();
        info.set_word(offset_of!(CompatibleVersion, max), COMPATIBLE[0]);
        info.set_word(offset_of!(CompatibleVersion, min), COMPATIBLE[1]);
        info.write(user, at)
    }

    /// DEV-17: register by register, each read or written as its address was taken.
    pub(super) fn bar(
        &mut self,
        caller: Caller,
        at: u64,
        user: &mut dyn User,
        write: bool,
    ) -> Answer {
        let arg = Argument::read::<BarRw>(user, at)?;
        let count = arg.word(offset_of!(BarRw, count));
        if arg.word(offset_of!(BarRw, bar)) != 0 {
            return Err(EINVAL);
        }
        if count > MOST_REGISTERS {
            return Err(ENOMEM);
        }
        let addresses = arg.long(offset_of!(BarRw, address));
        let data = arg.long(offset_of!(BarRw, data));
        for index in 0..u64::from(count) {
            let mut address = [0; 8];
            copied(user.read(addresses.wrapping_add(index * 8), &mut address))?;
            let offset = u64::from_le_bytes(address).wrapping_sub(BAR_ADDRESS[0]);
            if offset > BAR_SIZE[0] - 4 {
                return Err(EINVAL);
            }
            let place = data.wrapping_add(index * 4);
            if write {
                let mut value = [0; 4];
                copied(user.read(place, &mut value))?;
                let blocked = bar0::check(self.config.arch.into(), offset).is_err();
                if blocked && !self.has(Fault::BarDoorbell) {
                    return Err(EINVAL);
                }
                self.register(caller.device, offset, Some(u32::from_le_bytes(value)));
            } else {
                let value = self.register(caller.device, offset, None);
                copied(user.write(place, &value.to_le_bytes()))?;
            }
        }
        Ok(0)
    }

    /// Reads a word of BAR0, or writes it.
    fn register(&mut self, device: usize, offset: u64, value: Option<u32>) -> u32 {
        let inside = |base: &u64| offset.wrapping_sub(*base) < ENGINE_BYTES;
        let arch: udma::Arch = self.config.arch.into();
        let found = bar0::engine_bases(arch)
            .enumerate()
            .find(|(_, base)| inside(base));
        let Some((number, base)) = found else {
            let words = &mut self.devices[device].words;
            if let Some(value) = value {
                words.insert(offset, value);
            }
            return words.get(&offset).copied().unwrap_or(0);
        };
        self.with_unit(device, number as u32, |unit, _| {
            if let Some(value) = value {
                unit.engine.write32(offset - base, value);
            }
            unit.engine.read32(offset - base)
        })
    }

    pub(super) fn engine_number(number: u32) -> Result<u32, i64> {
        if number >= ENGINES {
            return Err(EINVAL);
        }
        Ok(number)
    }

    /// REGS-5, DEV-21.
    pub(super) fn set_state(&mut self, caller: Caller, at: u64, user: &mut dyn User) -> Answer {
        let arg = Argument::read::<DmaEngSetState>(user, at)?;
        let number = Self::engine_number(arg.word(offset_of!(DmaEngSetState, eng_id)))?;
        let state = arg.word(offset_of!(DmaEngSetState, state)) as i32;
        let written = self.with_unit(caller.device, number, |unit, clock| {
            let mut hands = Hands {
                engine: &mut unit.engine,
                rings: [0; 2],
                clock,
                resets: true,
            };
            control::set_state(&mut hands, state)
        });
        if !written && self.has(Fault::StateRefused) {
            return Err(EINVAL);
        }
        Ok(0)
    }

    /// REGS-3.
    pub(super) fn engine_state(&mut self, caller: Caller, at: u64, user: &mut dyn User) -> Answer {
        let arg = Argument::read::<DmaEngGetState>(user, at)?;
        let number = Self::engine_number(arg.word(offset_of!(DmaEngGetState, eng_id)))?;
        let report = self.with_unit(caller.device, number, |unit, clock| {
            let queues = unit.udma.num_queues();
            let mut hands = Hands {
                engine: &mut unit.engine,
                rings: [0; 2],
                clock,
                resets: true,
            };
            control::engine_state(&mut hands, queues)
        });
        let mut state = Argument::new::<DmaEngState>();
        state.set_word(offset_of!(DmaEngState, revision_id), report.revision);
        state.set_word(offset_of!(DmaEngState, max_queues), report.max_queues);
        state.set_word(offset_of!(DmaEngState, num_queues), report.num_queues);
        state.set_word(offset_of!(DmaEngState, tx_state), report.tx as u32);
        state.set_word(offset_of!(DmaEngState, rx_state), report.rx as u32);
        state.write(user, arg.long(offset_of!(DmaEngGetState, state)))
    }

    /// Whether a number names an engine of the architecture (BAR0-2).
    pub fn has_engine(&self, number: u32) -> bool {
        let engines = match self.config.arch {
            Arch::V2 => 34,
            _ => ENGINES,
        };
        number < engines
    }
}
