//! The caller's hooks.

use core::ffi::c_void;

use udma::io::{Clock, Cursors, Memory, Mmio, Observer, RingMemory, Side, Space, UserPages};
use udma_oracle::wire::Desc;
use udma_reference::abi;

/// Registers and barrier, which every host has.
#[derive(Clone, Copy)]
pub struct Registers {
    ctx: *mut c_void,
    read32: unsafe extern "C" fn(*mut c_void, u32, u64) -> u32,
    write32: unsafe extern "C" fn(*mut c_void, u32, u64, u32),
    barrier: unsafe extern "C" fn(*mut c_void),
}

impl Registers {
    /// None where a hook is missing.
    ///
    /// # Safety
    /// The hooks may be called with the ctx for as long as the value, or a copy, is used.
    pub unsafe fn new(host: &abi::udma_host) -> Option<Self> {
        Some(Self {
            ctx: host.ctx,
            read32: host.read32?,
            write32: host.write32?,
            barrier: host.barrier?,
        })
    }
}

impl Mmio for Registers {
    fn read32(&mut self, space: Space, offset: u64) -> u32 {
        // SAFETY: a hook of the caller with the caller's ctx, as `new` was promised.
        unsafe { (self.read32)(self.ctx, space as u32, offset) }
    }

    fn write32(&mut self, space: Space, offset: u64, value: u32) {
        // SAFETY: as above.
        unsafe { (self.write32)(self.ctx, space as u32, offset, value) }
    }

    fn barrier(&mut self) {
        // SAFETY: as above.
        unsafe { (self.barrier)(self.ctx) }
    }
}

/// All of the hooks, as the ring cycle needs them.
#[derive(Clone, Copy)]
pub struct Hooks {
    registers: Registers,
    load32: unsafe extern "C" fn(*mut c_void, u64) -> u32,
    store32: unsafe extern "C" fn(*mut c_void, u64, u32),
    fill: unsafe extern "C" fn(*mut c_void, u64, u32, u64),
    now: unsafe extern "C" fn(*mut c_void) -> u64,
    delay: unsafe extern "C" fn(*mut c_void, u64),
    in_reset_window: unsafe extern "C" fn(*mut c_void, u64) -> u32,
    acked: unsafe extern "C" fn(*mut c_void, u32, u32, u32, u32, u32),
    pin: unsafe extern "C" fn(*mut c_void, u64, u32, *mut u64) -> i32,
    unpin: unsafe extern "C" fn(*mut c_void, u64, u32),
}

impl Hooks {
    /// None where a hook is missing.
    ///
    /// # Safety
    /// As [`Registers::new`].
    pub unsafe fn new(host: &abi::udma_host) -> Option<Self> {
        Some(Self {
            // SAFETY: the same is asked of this function's caller.
            registers: unsafe { Registers::new(host) }?,
            load32: host.load32?,
            store32: host.store32?,
            fill: host.fill?,
            now: host.now?,
            delay: host.delay?,
            in_reset_window: host.in_reset_window?,
            acked: host.acked?,
            pin: host.pin?,
            unpin: host.unpin?,
        })
    }
}

/// Slot 0 of the two rings of a queue; null where there is none.
#[derive(Clone, Copy)]
pub struct Slots(pub [*mut Desc; 2]);

impl RingMemory for Slots {
    fn publish(&mut self, side: Side, slot: u32, desc: &udma::Desc) {
        let base = self.0[side as usize];
        let word = desc.words();
        // SAFETY: a ring hands out slots below its size, and none without memory (RING-7); the
        // caller of `queue_init` promised that many.
        unsafe { base.add(slot as usize).write(Desc { word }) }
    }
}

/// The hooks and one queue's rings: all that the ring cycle reaches.
pub struct Outside {
    /// The hooks.
    pub hooks: Hooks,
    /// The rings.
    pub slots: Slots,
}

impl Mmio for Outside {
    fn read32(&mut self, space: Space, offset: u64) -> u32 {
        self.hooks.registers.read32(space, offset)
    }

    fn write32(&mut self, space: Space, offset: u64, value: u32) {
        self.hooks.registers.write32(space, offset, value);
    }

    fn barrier(&mut self) {
        self.hooks.registers.barrier();
    }
}

impl RingMemory for Outside {
    fn publish(&mut self, side: Side, slot: u32, desc: &udma::Desc) {
        self.slots.publish(side, slot, desc);
    }
}

impl Memory for Outside {
    fn store32(&mut self, address: u64, value: u32) {
        // SAFETY: a hook of the caller with the caller's ctx, as `Hooks::new` was promised.
        unsafe { (self.hooks.store32)(self.hooks.registers.ctx, address, value) }
    }

    fn load32(&mut self, address: u64) -> u32 {
        // SAFETY: as above.
        unsafe { (self.hooks.load32)(self.hooks.registers.ctx, address) }
    }

    fn fill(&mut self, address: u64, byte: u8, length: u64) {
        // SAFETY: as above.
        unsafe { (self.hooks.fill)(self.hooks.registers.ctx, address, byte.into(), length) }
    }
}

impl Clock for Outside {
    fn now(&mut self) -> u64 {
        // SAFETY: as above.
        unsafe { (self.hooks.now)(self.hooks.registers.ctx) }
    }

    fn delay(&mut self, us: u64) {
        // SAFETY: as above.
        unsafe { (self.hooks.delay)(self.hooks.registers.ctx, us) }
    }

    fn in_reset_window(&mut self, start: u64) -> bool {
        // SAFETY: as above.
        unsafe { (self.hooks.in_reset_window)(self.hooks.registers.ctx, start) != 0 }
    }
}

impl Observer for Outside {
    fn acked(&mut self, qid: u32, side: Side, cursors: Cursors) {
        let Cursors {
            next_desc,
            next_cdesc,
            ring_id,
        } = cursors;
        // SAFETY: a hook of the caller with the caller's ctx, as `Hooks::new` was promised.
        unsafe {
            (self.hooks.acked)(
                self.hooks.registers.ctx,
                qid,
                side as u32,
                next_desc,
                next_cdesc,
                ring_id,
            );
        }
    }
}

impl UserPages for Outside {
    fn pin(&mut self, page: u64, frames: &mut [u64]) -> bool {
        let count = frames.len() as u32;
        // SAFETY: as above; there is room for `count` addresses.
        unsafe { (self.hooks.pin)(self.hooks.registers.ctx, page, count, frames.as_mut_ptr()) == 0 }
    }

    fn unpin(&mut self, page: u64, count: usize) {
        // SAFETY: as above.
        unsafe { (self.hooks.unpin)(self.hooks.registers.ctx, page, count as u32) }
    }
}
