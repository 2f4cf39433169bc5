//! The memory that is given to the engine: regions anywhere in 64 bits, and nothing besides.

use thiserror::Error;

use super::extents::{Content, Extents};
use super::pattern::Pattern;

/// A range that is not wholly inside the memory given (MODL-7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("{length} bytes at {address:#x} are outside the memory given")]
pub struct Outside {
    /// First byte of the range.
    pub address: u64,
    /// Bytes of the range.
    pub length: u64,
}

/// Why a region was not added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum RegionError {
    /// No bytes, or an end past 2^64.
    #[error("a region of {length} bytes at {address:#x} is empty or passes the end of the space")]
    Extent {
        /// First byte.
        address: u64,
        /// Bytes.
        length: u64,
    },
    /// Shares bytes with a region that is there.
    #[error("a region of {length} bytes at {address:#x} overlaps the one at {other:#x}")]
    Overlap {
        /// First byte.
        address: u64,
        /// Bytes.
        length: u64,
        /// First byte of the other region.
        other: u64,
    },
}

#[derive(Clone, Debug)]
enum Body {
    Bytes(Vec<u8>),
    Extents(Extents),
}

#[derive(Clone, Debug)]
struct Region {
    start: u64,
    length: u64,
    body: Body,
}

/// Regions of memory by their address as the engine sees it: device addresses as they are, host
/// memory with the window bit (HOST-1, [`super::Arch::host`]). A range may run across regions that
/// touch.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    /// In order of address.
    regions: Vec<Region>,
}

impl Memory {
    /// No memory at all.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds `length` zero bytes that are stored as bytes.
    pub fn add_bytes(&mut self, start: u64, length: u64) -> Result<(), RegionError> {
        self.room(start, length)?;
        self.insert(start, length, Body::Bytes(vec![0; length as usize]));
        Ok(())
    }

    /// Adds `length` bytes that hold a pattern and are kept as runs: patterns copied into or out of
    /// the region never become bytes.
    pub fn add_extents(
        &mut self,
        start: u64,
        length: u64,
        pattern: Pattern,
    ) -> Result<(), RegionError> {
        self.room(start, length)?;
        self.insert(start, length, Body::Extents(Extents::new(length, pattern)));
        Ok(())
    }

    /// Takes a region away, as when an allocation is given back; false if none starts there. Ranges
    /// in it are outside from then on.
    pub fn remove(&mut self, start: u64) -> bool {
        match self.find(start) {
            Some(at) if self.regions[at].start == start => {
                self.regions.remove(at);
                true
            }
            _ => false,
        }
    }

    /// The bytes of the region that holds a whole range, where it is kept as bytes.
    pub fn slice(&self, address: u64, length: u64) -> Option<&[u8]> {
        let region = &self.regions[self.find(address)?];
        let offset = (address - region.start) as usize;
        match &region.body {
            Body::Bytes(bytes) => bytes.get(offset..)?.get(..usize::try_from(length).ok()?),
            Body::Extents(_) => None,
        }
    }

    /// The same, to be changed.
    pub fn slice_mut(&mut self, address: u64, length: u64) -> Option<&mut [u8]> {
        let at = self.find(address)?;
        let region = &mut self.regions[at];
        let offset = (address - region.start) as usize;
        match &mut region.body {
            Body::Bytes(bytes) => bytes
                .get_mut(offset..)?
                .get_mut(..usize::try_from(length).ok()?),
            Body::Extents(_) => None,
        }
    }

    /// Says what the region of runs that starts at `start` is expected to hold in the end. Bytes
    /// written there that equal it need no memory.
    pub fn expect(&mut self, start: u64, pattern: Pattern) -> Result<(), Outside> {
        let outside = Outside {
            address: start,
            length: 1,
        };
        let at = self.find(start).ok_or(outside)?;
        match &mut self.regions[at] {
            Region {
                start: first,
                body: Body::Extents(extents),
                ..
            } if *first == start => {
                extents.expect(pattern);
                Ok(())
            }
            _ => Err(outside),
        }
    }

    fn room(&self, address: u64, length: u64) -> Result<(), RegionError> {
        let end = address.checked_add(length);
        let (Some(end), 1..) = (end, length) else {
            return Err(RegionError::Extent { address, length });
        };
        let clash = |region: &&Region| region.start < end && address < region.end();
        match self.regions.iter().find(clash) {
            None => Ok(()),
            Some(other) => Err(RegionError::Overlap {
                address,
                length,
                other: other.start,
            }),
        }
    }

    fn insert(&mut self, start: u64, length: u64, body: Body) {
        let at = self.regions.partition_point(|region| region.start < start);
        let region = Region {
            start,
            length,
            body,
        };
        self.regions.insert(at, region);
    }

    /// Index of the region that holds an address.
    #[inline]
    fn find(&self, address: u64) -> Option<usize> {
        let at = self
            .regions
            .partition_point(|region| region.start <= address);
        let at = at.checked_sub(1)?;
        (address - self.regions[at].start < self.regions[at].length).then_some(at)
    }

    /// Whether every byte of a range is inside.
    #[inline]
    pub fn contains(&self, address: u64, length: u64) -> bool {
        let (mut address, mut left) = (address, length);
        loop {
            let Some(at) = self.find(address) else {
                return false;
            };
            let there = self.regions[at].end() - address;
            if left <= there {
                return true;
            }
            left -= there;
            address += there;
        }
    }

    fn check(&self, address: u64, length: u64) -> Result<(), Outside> {
        if length == 0 || self.contains(address, length) {
            Ok(())
        } else {
            Err(Outside { address, length })
        }
    }

    /// Region, offset in it and length of the first piece of a range that is inside.
    fn piece(&self, address: u64, length: u64) -> (usize, u64, u64) {
        let at = self.find(address).expect("the range was checked");
        let region = &self.regions[at];
        (
            at,
            address - region.start,
            length.min(region.end() - address),
        )
    }

    /// Reads bytes.
    #[inline]
    pub fn read(&self, address: u64, out: &mut [u8]) -> Result<(), Outside> {
        let length = out.len() as u64;
        if let Some(bytes) = self.slice(address, length) {
            out.copy_from_slice(bytes);
            return Ok(());
        }
        self.check(address, length)?;
        let mut done = 0;
        while done < length {
            let (at, offset, part) = self.piece(address + done, length - done);
            let out = &mut out[done as usize..(done + part) as usize];
            match &self.regions[at].body {
                Body::Bytes(bytes) => {
                    out.copy_from_slice(&bytes[offset as usize..(offset + part) as usize]);
                }
                Body::Extents(extents) => extents.read(offset, out),
            }
            done += part;
        }
        Ok(())
    }

    /// Writes bytes; none of them if one is outside.
    #[inline]
    pub fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), Outside> {
        let length = bytes.len() as u64;
        if let Some(body) = self.slice_mut(address, length) {
            body.copy_from_slice(bytes);
            return Ok(());
        }
        self.check(address, length)?;
        let mut done = 0;
        while done < length {
            let (at, offset, part) = self.piece(address + done, length - done);
            let bytes = &bytes[done as usize..(done + part) as usize];
            match &mut self.regions[at].body {
                Body::Bytes(body) => {
                    body[offset as usize..(offset + part) as usize].copy_from_slice(bytes);
                }
                Body::Extents(extents) => extents.write(offset, bytes),
            }
            done += part;
        }
        Ok(())
    }

    /// Fills a range with a pattern.
    pub fn fill(&mut self, address: u64, length: u64, pattern: Pattern) -> Result<(), Outside> {
        self.check(address, length)?;
        let mut done = 0;
        while done < length {
            let (at, offset, part) = self.piece(address + done, length - done);
            let pattern = pattern.skip(done);
            match &mut self.regions[at].body {
                Body::Bytes(body) => {
                    pattern.fill(&mut body[offset as usize..(offset + part) as usize]);
                }
                Body::Extents(extents) => extents.put(offset, part, Content::Pattern(pattern)),
            }
            done += part;
        }
        Ok(())
    }

    /// Address of the first byte of a range that is not the pattern's; none when all are.
    pub fn first_difference(
        &self,
        address: u64,
        length: u64,
        pattern: Pattern,
    ) -> Result<Option<u64>, Outside> {
        self.check(address, length)?;
        let mut done = 0;
        while done < length {
            let (at, offset, part) = self.piece(address + done, length - done);
            let want = pattern.skip(done);
            let found = match &self.regions[at].body {
                Body::Bytes(body) => want
                    .first_difference(&body[offset as usize..(offset + part) as usize])
                    .map(|by| by as u64),
                Body::Extents(extents) => extents.first_difference(offset, part, want),
            };
            if let Some(by) = found {
                return Ok(Some(address + done + by));
            }
            done += part;
        }
        Ok(None)
    }

    /// Copies a range: all of the source is read before any of the destination is written.
    pub fn copy(&mut self, source: u64, destination: u64, length: u64) -> Result<(), Outside> {
        if length == 0 {
            return Ok(());
        }
        if let Some(from) = self.whole(source, length)
            && let Some(to) = self.whole(destination, length)
        {
            self.copy_piece(from, to, length);
            return Ok(());
        }
        self.check(source, length)?;
        self.check(destination, length)?;
        if source.abs_diff(destination) < length {
            // An overlap that runs across regions: rare, so by way of a buffer.
            let mut bytes = vec![0; length as usize];
            self.read(source, &mut bytes)?;
            return self.write(destination, &bytes);
        }
        let mut done = 0;
        while done < length {
            let (from, from_offset, part) = self.piece(source + done, length - done);
            let (to, to_offset, part) = self.piece(destination + done, part);
            self.copy_piece((from, from_offset), (to, to_offset), part);
            done += part;
        }
        Ok(())
    }

    /// Region and offset in it of a range that lies in one region; none of another range.
    #[inline]
    fn whole(&self, address: u64, length: u64) -> Option<(usize, u64)> {
        let at = self.find(address)?;
        let region = &self.regions[at];
        (length <= region.end() - address).then_some((at, address - region.start))
    }

    /// One piece that lies in one region on either side.
    #[inline]
    fn copy_piece(
        &mut self,
        (from, from_offset): (usize, u64),
        (to, to_offset): (usize, u64),
        length: u64,
    ) {
        let range = |offset: u64| offset as usize..(offset + length) as usize;
        if from == to {
            match &mut self.regions[from].body {
                Body::Bytes(bytes) => bytes.copy_within(range(from_offset), to_offset as usize),
                Body::Extents(extents) => {
                    let parts = extents.take(from_offset, length);
                    put_all(extents, to_offset, parts);
                }
            }
            return;
        }
        let [from, to] = self
            .regions
            .get_disjoint_mut([from, to])
            .expect("two regions that are there");
        match (&from.body, &mut to.body) {
            (Body::Bytes(from), Body::Bytes(to)) => {
                to[range(to_offset)].copy_from_slice(&from[range(from_offset)]);
            }
            (Body::Extents(from), Body::Bytes(to)) => {
                from.read(from_offset, &mut to[range(to_offset)]);
            }
            (Body::Bytes(from), Body::Extents(to)) => {
                to.write(to_offset, &from[range(from_offset)]);
            }
            (Body::Extents(from), Body::Extents(to)) => {
                put_all(to, to_offset, from.take(from_offset, length));
            }
        }
    }

    /// Address of the first byte that differs from `other`, which has the same regions, of each
    /// region that has one; regions for whose start `looked_at` is false are left out.
    pub fn differences(&self, other: &Self, looked_at: impl Fn(u64) -> bool) -> Vec<u64> {
        let pairs = self.regions.iter().zip(&other.regions);
        pairs
            .filter(|(one, _)| looked_at(one.start))
            .filter_map(|(one, other)| {
                let by = match (&one.body, &other.body) {
                    (Body::Bytes(one), Body::Bytes(other)) if one == other => None,
                    (Body::Bytes(one), Body::Bytes(other)) => one
                        .iter()
                        .zip(other)
                        .position(|(one, other)| one != other)
                        .map(|at| at as u64),
                    (Body::Extents(one), Body::Extents(other)) => one.unlike(other),
                    _ => Some(0),
                };
                by.map(|by| one.start + by)
            })
            .collect()
    }

    /// Runs that the regions of runs are kept in, all together: a measure of the memory they take.
    pub fn runs(&self) -> usize {
        let runs = |region: &Region| match &region.body {
            Body::Bytes(_) => 0,
            Body::Extents(extents) => extents.runs(),
        };
        self.regions.iter().map(runs).sum()
    }
}

impl Region {
    /// First byte behind; fits, as the region was checked.
    #[inline]
    fn end(&self) -> u64 {
        self.start + self.length
    }
}

fn put_all(extents: &mut Extents, offset: u64, parts: Vec<(u64, Content)>) {
    let mut at = offset;
    for (length, content) in parts {
        extents.put(at, length, content);
        at += length;
    }
}
