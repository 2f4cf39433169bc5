//! What is allocated of a device's memory, and mapped.

use super::{Board, FileId, MOST_BYTES};
use crate::program::Place;
use crate::vdev::memory::Chunk;

impl Board {
    /// Allocates; the handle, or the code (DEV-9).
    pub(in crate::vdev) fn allocate(&mut self, chunk: Chunk, align: u64) -> Result<u64, i64> {
        let arch = self.config.arch;
        let taken: u64 = self.chunks.values().map(|chunk| chunk.size).sum();
        if taken.saturating_add(chunk.size) > MOST_BYTES {
            return Err(-12);
        }
        let start = self
            .spaces
            .take(arch, chunk.space, chunk.size, align)
            .ok_or(-12i64)?;
        let chunk = Chunk { start, ..chunk };
        if self
            .memory()
            .add_bytes(chunk.address(arch), chunk.size)
            .is_err()
        {
            self.spaces.give(chunk.space, start);
            return Err(-12);
        }
        let handle = self.next_handle << 8 | 0x5a;
        self.next_handle += 1;
        self.chunks.insert(handle, chunk);
        self.by_address.insert(chunk.address(arch), handle);
        Ok(handle)
    }

    pub(in crate::vdev) fn free(&mut self, handle: u64) -> bool {
        let Some(chunk) = self.chunks.remove(&handle) else {
            return false;
        };
        // What an engine still writes there is lost, and must not reach the next owner.
        self.quiesce();
        let address = chunk.address(self.config.arch);
        self.memory().remove(address);
        self.by_address.remove(&address);
        self.spaces.give(chunk.space, chunk.start);
        true
    }

    /// The allocation whose memory holds an engine address.
    pub(in crate::vdev) fn chunk_at(&self, address: u64) -> Option<&Chunk> {
        let (start, handle) = self.by_address.range(..=address).next_back()?;
        let chunk = self.chunks.get(handle)?;
        (address - start < chunk.size).then_some(chunk)
    }

    /// An allocation by its handle.
    pub(in crate::vdev) fn chunk_of(&self, handle: u64) -> Option<&Chunk> {
        self.chunks.get(&handle)
    }

    /// DEV-18: the handle of the allocation that a mapping is of. Another process may map host memory
    /// to read it.
    pub(in crate::vdev) fn mapped(
        &self,
        file: FileId,
        group: u32,
        offset: u64,
        length: u64,
        writes: bool,
    ) -> Result<u64, i64> {
        const EINVAL: i64 = -22;
        let file = self.file(file).ok_or(EINVAL)?;
        let handle = *self.by_address.get(&offset).ok_or(EINVAL)?;
        let chunk = self.chunk_of(handle).ok_or(EINVAL)?;
        let own = chunk.owner == group && chunk.device == file.device;
        let shown = chunk.place == Place::Host && !writes;
        if length == chunk.size && (own || shown) {
            Ok(handle)
        } else {
            Err(EINVAL)
        }
    }

    /// Whether a host-form address is memory that was allocated through the driver (DEV-2).
    pub(in crate::vdev) fn is_allocated_host(&self, address: u64) -> bool {
        self.chunk_at(address)
            .is_some_and(|chunk| chunk.place == Place::Host)
    }
}
