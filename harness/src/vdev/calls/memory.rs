//! Memory: allocation, copies through the driver, fills.

use std::mem::offset_of;

use udma::abi::memory::{
    MemAlloc, MemAllocV2, MemAllocV2MemType, MemAllocV2MemType64, MemBufCopy, MemBufCopy64,
    MemCopy, MemCopy64, MemCopyAsync, MemCopyAsync64, MemCopyAsyncWait, MemFree,
    MemGetExtendedInfo, MemGetInfo, MemGetPa, Memset, Memset64,
};
use udma::cycle::{Handle, Transfer};

use super::{Caller, EACCES, EINVAL};
use crate::argument::{Argument, copied};
use crate::program::{Arch, Place};
use crate::vdev::board::{BUFFER, Board, CORES, HostQueue, Unit};
use crate::vdev::fault::Fault;
use crate::vdev::host::Hands;
use crate::vdev::memory::{Chunk, PAGE, Space, channels};
use crate::vdev::user::User;

type Answer = Result<i64, i64>;

/// Bytes that one pair of size 0 moves (BTCH-6).
const ZERO_MOVES: u64 = 0x1_0000;
/// DRAM regions of a channel.
const REGIONS: u32 = 4;

/// A range of an allocation.
#[derive(Clone, Copy, Debug)]
struct Range {
    chunk: Chunk,
    offset: u64,
}

impl Board {
    fn chunk(&self, handle: u64) -> Result<Chunk, i64> {
        self.chunks.get(&handle).copied().ok_or(EINVAL) // DEV-10
    }

    /// DEV-11.
    fn range(&self, handle: u64, offset: u64, size: u64) -> Result<Range, i64> {
        let chunk = self.chunk(handle)?;
        let slack = if self.has(Fault::RangeLoose) { 16 } else { 0 };
        let loose = Chunk {
            size: chunk.size + slack,
            ..chunk
        };
        if !loose.holds(offset, size) {
            return Err(EINVAL);
        }
        Ok(Range { chunk, offset })
    }

    fn address(&self, range: Range) -> u64 {
        range.chunk.address(self.config.arch) + range.offset
    }

    /// DEV-9.
    pub(super) fn mem_alloc(
        &mut self,
        caller: Caller,
        name: &str,
        at: u64,
        user: &mut dyn User,
    ) -> Answer {
        macro_rules! take {
            ($kind:ty, $align:expr) => {{
                let arg = Argument::read::<$kind>(user, at);
                arg.map(|arg| {
                    let align: Option<usize> = $align;
                    (
                        arg.long(offset_of!($kind, size)),
                        align.map_or(0, |offset| arg.long(offset)),
                        arg.word(offset_of!($kind, host_memory)) != 0,
                        arg.word(offset_of!($kind, dram_channel)),
                        arg.word(offset_of!($kind, dram_region)),
                        arg.word(offset_of!($kind, nc_id)),
                        arg.long(offset_of!($kind, mem_handle)),
                    )
                })
            }};
        }
        let taken = match name {
            // DEV-13.
            "MEM_ALLOC" => take!(MemAlloc, None).map_err(|_| EACCES),
            "MEM_ALLOC_V2" => take!(MemAllocV2, Some(offset_of!(MemAllocV2, align))),
            "MEM_ALLOC_V2MT" => {
                take!(
                    MemAllocV2MemType,
                    Some(offset_of!(MemAllocV2MemType, align))
                )
            }
            _ => take!(
                MemAllocV2MemType64,
                Some(offset_of!(MemAllocV2MemType64, align))
            ),
        };
        let (size, align, host, channel, region, core, place) = taken?;
        let host_aligned = host && align != 0 && !self.has(Fault::AlignAccepted);
        let no_place = !host && (channel >= channels(self.config.arch) || region >= REGIONS);
        if size > i64::MAX as u64
            || size == 0
            || align > i32::MAX as u64
            || host_aligned
            || no_place
            || core >= CORES
        {
            return Err(EINVAL);
        }
        let (space, kind) = if host {
            (Space::Host, Place::Host)
        } else {
            (Space::Channel(caller.device, channel), Place::Device)
        };
        let chunk = Chunk {
            device: caller.device,
            place: kind,
            space,
            start: 0,
            size: size.next_multiple_of(PAGE),
            asked: size,
            owner: caller.group,
            opener: caller.opener,
            core,
        };
        let handle = self.allocate(chunk, align)?;
        let left = user.write(place, &handle.to_le_bytes());
        if left > 0 {
            self.free(handle);
            let first = name == "MEM_ALLOC";
            return Err(if first { EACCES } else { left as i64 });
        }
        Ok(0)
    }

    pub(super) fn mem_free(&mut self, at: u64, user: &mut dyn User) -> Answer {
        let arg = Argument::read::<MemFree>(user, at)?;
        let handle = arg.long(offset_of!(MemFree, mem_handle));
        if self.free(handle) {
            Ok(0)
        } else {
            Err(EINVAL)
        }
    }

    /// DEV-19: the address as the engine takes it.
    fn reported(&self, chunk: &Chunk) -> u64 {
        if self.has(Fault::InfoPlain) {
            return chunk.start;
        }
        chunk.address(self.config.arch)
    }

    pub(super) fn mem_pa(&mut self, at: u64, user: &mut dyn User) -> Answer {
        let arg = Argument::read::<MemGetPa>(user, at)?;
        let chunk = self.chunk(arg.long(offset_of!(MemGetPa, mem_handle)))?;
        let place = arg.long(offset_of!(MemGetPa, pa));
        copied(user.write(place, &self.reported(&chunk).to_le_bytes()))
    }

    pub(super) fn mem_info(&mut self, at: u64, user: &mut dyn User) -> Answer {
        let arg = Argument::read::<MemGetInfo>(user, at)?;
        let chunk = self.chunk(arg.long(offset_of!(MemGetInfo, mem_handle)))?;
        let pa = self.reported(&chunk).to_le_bytes();
        copied(user.write(arg.long(offset_of!(MemGetInfo, mmap_offset)), &pa))?;
        copied(user.write(arg.long(offset_of!(MemGetInfo, pa)), &pa))
    }

    pub(super) fn mem_extended_info(&mut self, at: u64, user: &mut dyn User) -> Answer {
        let mut arg = Argument::read::<MemGetExtendedInfo>(user, at)?;
        let handle = arg.long(offset_of!(MemGetExtendedInfo, mem_handle));
        let Ok(chunk) = self.chunk(handle) else {
            return Err(-EINVAL); // DEV-10: positive
        };
        let size = if self.has(Fault::InfoSize) {
            chunk.asked
        } else {
            chunk.size
        };
        let host = u32::from(chunk.place == Place::Host);
        let pa = self.reported(&chunk);
        arg.set_word(offset_of!(MemGetExtendedInfo, host_memory), host);
        arg.set_long(offset_of!(MemGetExtendedInfo, mmap_offset), pa);
        arg.set_long(offset_of!(MemGetExtendedInfo, pa), pa);
        arg.set_long(offset_of!(MemGetExtendedInfo, pid), chunk.owner.into());
        arg.set_long(offset_of!(MemGetExtendedInfo, size), size);
        arg.write(user, at)
    }

    /// DEV-12.
    pub(super) fn buffer_copy(
        &mut self,
        caller: Caller,
        name: &str,
        at: u64,
        user: &mut dyn User,
    ) -> Answer {
        let (handle, buffer, size, offset, to_device);
        if name == "MEM_BUF_COPY" {
            let arg = Argument::read::<MemBufCopy>(user, at)?;
            handle = arg.long(offset_of!(MemBufCopy, mem_handle));
            buffer = arg.long(offset_of!(MemBufCopy, buffer));
            size = arg.word(offset_of!(MemBufCopy, size)).into();
            offset = arg.word(offset_of!(MemBufCopy, offset)).into();
            to_device = arg.word(offset_of!(MemBufCopy, copy_to_mem_handle)) != 0;
        } else {
            let arg = Argument::read::<MemBufCopy64>(user, at)?;
            handle = arg.long(offset_of!(MemBufCopy64, mem_handle));
            buffer = arg.long(offset_of!(MemBufCopy64, buffer));
            size = arg.long(offset_of!(MemBufCopy64, size));
            offset = arg.long(offset_of!(MemBufCopy64, offset));
            to_device = arg.word(offset_of!(MemBufCopy64, copy_to_mem_handle)) != 0;
        }
        if !to_device {
            self.pass_time(); // a look at memory
        }
        let mut range = self.range(handle, offset, size)?;
        if self.has(Fault::BufferOffset) && !to_device {
            range.offset = 0;
        }
        if range.chunk.place == Place::Host {
            return self.plain_copy(self.address(range), buffer, size, to_device, user);
        }
        self.dma_copy(
            caller,
            range,
            buffer,
            u64::from(size as u32),
            to_device,
            user,
        )
    }

    /// A host allocation: one plain copy.
    fn plain_copy(
        &mut self,
        address: u64,
        buffer: u64,
        size: u64,
        to_device: bool,
        user: &mut dyn User,
    ) -> Answer {
        let memory = self.memory();
        let left = match memory.slice_mut(address, size) {
            Some(bytes) if to_device => user.read(buffer, bytes),
            Some(bytes) => user.write(buffer, bytes),
            None => return Err(EINVAL),
        };
        copied(left)
    }

    /// A device allocation: pieces through the bounce buffer.
    fn dma_copy(
        &mut self,
        caller: Caller,
        range: Range,
        buffer: u64,
        size: u64,
        to_device: bool,
        user: &mut dyn User,
    ) -> Answer {
        let place = self.host_place(range.chunk.core);
        let device_address = self.address(range);
        let window = udma_oracle::model::Arch::from(self.config.arch);
        let mut done = 0;
        while done < size {
            let bytes = BUFFER.min(size - done);
            let bounce = self.with_host(caller, place, |host, _, _| Ok(host.bounce))?;
            let bounce = window.host(bounce);
            let there = device_address + done;
            if to_device {
                let left = match self.memory().slice_mut(bounce, bytes) {
                    Some(slice) => user.read(buffer.wrapping_add(done), slice),
                    None => return Err(EINVAL),
                };
                copied(left)?;
                self.transfer(caller, place, Transfer::copy(bounce, there, bytes))?;
            } else {
                self.transfer(caller, place, Transfer::copy(there, bounce, bytes))?;
                let left = match self.memory().slice(bounce, bytes) {
                    Some(slice) => user.write(buffer.wrapping_add(done), slice),
                    None => return Err(EINVAL),
                };
                copied(left)?;
            }
            done += bytes;
        }
        Ok(0)
    }

    /// HOST-2: engine and queue of a core; cores that an older device lacks share the last one.
    fn host_place(&self, core: u32) -> (u32, u32) {
        let core = match self.config.arch {
            Arch::V2 => core.min(1),
            _ => core.min(CORES - 1),
        };
        let place = udma::cycle::host::host_queue(self.config.arch.into(), core);
        place.map_or((0, 0), |place| (place.engine, place.queue))
    }

    /// Calls `act` with a host queue of the driver.
    fn with_host<T>(
        &mut self,
        caller: Caller,
        (engine, queue): (u32, u32),
        act: impl FnOnce(&mut HostQueue, &mut udma::engine::Udma, &mut Hands) -> Result<T, udma::Error>,
    ) -> Result<T, i64> {
        let version = self.config.version;
        let done = self.with_unit(caller.device, engine, |unit, clock| {
            let Unit {
                engine,
                udma,
                hosts,
                ..
            } = unit;
            let host = hosts.get_mut(&queue).ok_or(EINVAL)?;
            let mut hands = Hands {
                engine,
                rings: host.rings,
                clock,
                resets: true,
            };
            act(host, udma, &mut hands).map_err(|error| {
                let code = error.code(udma::Line::Kernel(version));
                code.map_or(EINVAL, i64::from)
            })
        });
        if done.is_err() {
            // Whatever a failed copy has left on its way is still on its way.
            self.rang(caller.device, engine, queue);
        }
        done
    }

    fn transfer(&mut self, caller: Caller, place: (u32, u32), transfer: Transfer) -> Answer {
        self.with_host(caller, place, |host, udma, hands| {
            host.queue.copy(udma, hands, &transfer)
        })?;
        Ok(0)
    }

    /// A transfer of 0 bytes moves 65536 (BTCH-6): refused where they do not fit (project).
    fn zero_fits(size: u64, ranges: &[Range]) -> Result<(), i64> {
        let fits = |range: &Range| range.chunk.holds(range.offset, ZERO_MOVES);
        if size == 0 && !ranges.iter().all(fits) {
            return Err(EINVAL);
        }
        Ok(())
    }

    pub(super) fn mem_copy(
        &mut self,
        caller: Caller,
        name: &str,
        at: u64,
        user: &mut dyn User,
    ) -> Answer {
        let (src, dst, size, from, to);
        if name == "MEM_COPY" {
            let arg = Argument::read::<MemCopy>(user, at)?;
            src = arg.long(offset_of!(MemCopy, src_mem_handle));
            dst = arg.long(offset_of!(MemCopy, dst_mem_handle));
            size = arg.word(offset_of!(MemCopy, size)).into();
            from = arg.word(offset_of!(MemCopy, src_offset)).into();
            to = arg.word(offset_of!(MemCopy, dst_offset)).into();
        } else {
            let arg = Argument::read::<MemCopy64>(user, at)?;
            src = arg.long(offset_of!(MemCopy64, src_mem_handle));
            dst = arg.long(offset_of!(MemCopy64, dst_mem_handle));
            size = arg.long(offset_of!(MemCopy64, size));
            from = arg.long(offset_of!(MemCopy64, src_offset));
            to = arg.long(offset_of!(MemCopy64, dst_offset));
        }
        let (place, transfer) = self.copy_of((src, from), (dst, to), size)?;
        self.transfer(caller, place, transfer)
    }

    /// The transfer of a copy call, and the queue that carries it.
    fn copy_of(
        &self,
        (src, from): (u64, u64),
        (dst, to): (u64, u64),
        size: u64,
    ) -> Result<((u32, u32), Transfer), i64> {
        let source = self.range(src, from, size)?;
        let mut target = self.range(dst, to, size)?;
        Self::zero_fits(size, &[source, target])?;
        if self.has(Fault::CopyOffset) {
            target.offset = 0;
        }
        let core = match source.chunk.place {
            Place::Device => source.chunk.core,
            Place::Host => target.chunk.core,
        };
        let size = match size {
            size @ 65537.. if self.has(Fault::CopyShort) => size - (size - 1) % 65536 - 1,
            size => size,
        };
        let transfer = Transfer::copy(self.address(source), self.address(target), size);
        Ok((self.host_place(core), transfer))
    }

    /// ASYN.
    pub(super) fn copy_async(
        &mut self,
        caller: Caller,
        name: &str,
        at: u64,
        user: &mut dyn User,
    ) -> Answer {
        let (mut arg, src, dst, size, from, to, previous, given);
        if name == "MEM_COPY_ASYNC" {
            arg = Argument::read::<MemCopyAsync>(user, at)?;
            src = arg.long(offset_of!(MemCopyAsync, src_mem_handle));
            dst = arg.long(offset_of!(MemCopyAsync, dst_mem_handle));
            size = arg.word(offset_of!(MemCopyAsync, size)).into();
            from = arg.word(offset_of!(MemCopyAsync, src_offset)).into();
            to = arg.word(offset_of!(MemCopyAsync, dst_offset)).into();
            previous = arg.word(offset_of!(MemCopyAsync, pwait_handle)) as i32;
            given = offset_of!(MemCopyAsync, wait_handle);
        } else {
            arg = Argument::read::<MemCopyAsync64>(user, at)?;
            src = arg.long(offset_of!(MemCopyAsync64, src_mem_handle));
            dst = arg.long(offset_of!(MemCopyAsync64, dst_mem_handle));
            size = arg.long(offset_of!(MemCopyAsync64, size));
            from = arg.long(offset_of!(MemCopyAsync64, src_offset));
            to = arg.long(offset_of!(MemCopyAsync64, dst_offset));
            previous = arg.word(offset_of!(MemCopyAsync64, pwait_handle)) as i32;
            given = offset_of!(MemCopyAsync64, wait_handle);
        }
        let (place, transfer) = self.copy_of((src, from), (dst, to), size)?;
        let handle = self.with_host(caller, place, |host, udma, hands| {
            let previous = Handle::from_number(previous)?;
            host.queue.submit(udma, hands, &transfer, previous)
        })?;
        let handle = match handle.number() {
            2 if self.has(Fault::AsyncHandle) => 1,
            number => number,
        };
        arg.set_word(given, handle as u32);
        self.rang(caller.device, place.0, place.1);
        arg.write(user, at)
    }

    /// DEV-16.
    pub(super) fn copy_wait(&mut self, caller: Caller, at: u64, user: &mut dyn User) -> Answer {
        let arg = Argument::read::<MemCopyAsyncWait>(user, at)?;
        let source = self.chunk(arg.long(offset_of!(MemCopyAsyncWait, src_mem_handle)))?;
        let target = self.chunk(arg.long(offset_of!(MemCopyAsyncWait, dst_mem_handle)))?;
        let handle = arg.word(offset_of!(MemCopyAsyncWait, pwait_handle)) as i32;
        if !(1..=2).contains(&handle) {
            return if self.has(Fault::AsyncWaitAny) {
                Ok(0)
            } else {
                Err(EINVAL)
            };
        }
        let core = match source.place {
            Place::Device => source.core,
            Place::Host => target.core,
        };
        let place = self.host_place(core);
        self.with_host(caller, place, |host, udma, hands| {
            host.queue.wait(udma, hands, Handle::from_number(handle)?)
        })?;
        Ok(0)
    }

    /// MSET-1.
    pub(super) fn memset(
        &mut self,
        caller: Caller,
        name: &str,
        at: u64,
        user: &mut dyn User,
    ) -> Answer {
        let (handle, offset, mut value, mut size);
        if name == "MEMSET" {
            let arg = Argument::read::<Memset>(user, at)?;
            handle = arg.long(offset_of!(Memset, mem_handle));
            offset = arg.long(offset_of!(Memset, offset));
            value = arg.word(offset_of!(Memset, value));
            size = arg.word(offset_of!(Memset, size)).into();
        } else {
            let arg = Argument::read::<Memset64>(user, at)?;
            handle = arg.long(offset_of!(Memset64, mem_handle));
            offset = arg.long(offset_of!(Memset64, offset));
            value = arg.word(offset_of!(Memset64, value));
            size = arg.long(offset_of!(Memset64, size));
        }
        let range = self.range(handle, offset, size)?;
        Self::zero_fits(size, &[range])?;
        if self.has(Fault::MemsetByte) {
            value >>= 8;
        }
        if self.has(Fault::MemsetShort) {
            size = size.min(BUFFER);
        }
        let (place, address) = (self.host_place(range.chunk.core), self.address(range));
        self.with_host(caller, place, |host, udma, hands| {
            host.queue
                .memset(udma, hands, host.fill, address, value, size)
        })?;
        Ok(0)
    }
}
