//! Copies of user pages: steps, runs, orders, two contexts (ZC-1 to ZC-7).

use super::Driver;
use crate::cycle::PAGE;
use crate::cycle::trace::Aside;
use crate::model::Outside;
use crate::subject::cycle::ZeroCopy;

/// -ENOENT, -EFAULT.
pub(super) const ENOENT: i32 = -2;
pub(super) const EFAULT: i32 = -14;
/// BARR-1.
const WRITE_BARRIER: i32 = 2;
const SOW: i32 = 3;

/// What is pinned and rung at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    /// User address.
    pub user: u64,
    /// Bytes.
    pub bytes: u64,
    /// Bytes before it.
    pub moved: u64,
    pub is_last: bool,
}

impl Part {
    pub fn page(&self) -> u64 {
        self.user - self.user % PAGE
    }

    pub fn pages(&self) -> u32 {
        ((self.user + self.bytes).div_ceil(PAGE) - self.user / PAGE) as u32
    }
}

/// ZC-1, ZC-2.
pub(super) fn parts(user: u64, size: u64) -> Vec<Part> {
    let offset = user % PAGE;
    let span = size + offset;
    let step = if span > 524_288 {
        262_144
    } else if span <= 262_144 {
        span
    } else {
        (span / 2).div_ceil(PAGE) * PAGE
    };
    let mut parts = Vec::new();
    let mut moved = 0;
    while moved < size {
        let whole = if moved == 0 { step - offset } else { step };
        let bytes = whole.min(size - moved);
        parts.push(Part {
            user: user + moved,
            bytes,
            moved,
            is_last: moved + bytes == size,
        });
        moved += bytes;
    }
    parts
}

/// ZC-3: CPU address and bytes of each data pair of a part.
pub(super) fn cuts(part: &Part, frames: &[u64]) -> Vec<(u64, u64)> {
    let mut runs: Vec<(u64, u64)> = Vec::new();
    let mut left = part.bytes;
    let mut offset = part.user % PAGE;
    for frame in frames {
        let bytes = left.min(PAGE - offset);
        match runs.last_mut() {
            Some((start, length)) if *start + *length == *frame => *length += bytes,
            _ => runs.push((frame + offset, bytes)),
        }
        left -= bytes;
        offset = 0;
    }
    let cut = |(start, length): (u64, u64)| {
        (0..length.div_ceil(65536))
            .map(move |at| (start + at * 65536, (length - at * 65536).min(65536)))
    };
    runs.into_iter().flat_map(cut).collect()
}

impl Driver<'_> {
    /// ZC-6.
    pub(super) fn zero_copy(&mut self, copy: &ZeroCopy) -> Result<i32, Outside> {
        if copy.core != self.run.setup.core {
            return Ok(ENOENT); // ZC-7
        }
        // Part, pairs and completion buffer of the step that is out.
        let mut before: Option<(Part, u32, u64)> = None;
        for (number, part) in parts(copy.user, copy.size).into_iter().enumerate() {
            let completion = copy.completion[number % 2];
            let sent = match self.pin(&part) {
                Some(frames) => {
                    let sent = self.send_part(copy, &part, &frames, completion)?;
                    if sent.is_err() {
                        self.aside(Aside::Unpin(part.page(), part.pages()));
                    }
                    sent
                }
                None => Err(EFAULT),
            };
            match sent {
                Ok(pairs) => {
                    let earlier = before.replace((part, pairs, completion));
                    if let Some(earlier) = earlier
                        && !self.finish(earlier)?
                    {
                        return Ok(self.timeout());
                    }
                }
                Err(code) => {
                    if let Some(earlier) = before {
                        self.finish(earlier)?;
                    }
                    return Ok(code);
                }
            }
        }
        match before {
            Some(last) if !self.finish(last)? => Ok(self.timeout()),
            _ => Ok(0),
        }
    }

    fn finish(&mut self, (part, pairs, completion): (Part, u32, u64)) -> Result<bool, Outside> {
        let seen = self.await_marker(completion, pairs, true)?;
        if seen {
            self.aside(Aside::Unpin(part.page(), part.pages()));
        }
        Ok(seen)
    }

    /// The CPU addresses of a part's pages.
    pub(super) fn pin(&mut self, part: &Part) -> Option<Vec<u64>> {
        let user = &self.run.user;
        let first = (part.page().wrapping_sub(user.page) / PAGE) as usize;
        let frames = first
            .checked_add(part.pages() as usize)
            .and_then(|end| user.frames.get(first..end))
            .map(<[u64]>::to_vec);
        self.aside(Aside::Pin(part.page(), part.pages(), frames.is_some()));
        frames
    }

    /// Stages and rings a part (ZC-4, ZC-5): pairs rung, or the code.
    pub(super) fn send_part(
        &mut self,
        copy: &ZeroCopy,
        part: &Part,
        frames: &[u64],
        completion: u64,
    ) -> Result<Result<u32, i32>, Outside> {
        let ordered = copy.to_device && part.is_last;
        let (data_mode, marker_mode) = match (ordered, self.is_v2()) {
            (false, _) => (0, 0),
            (true, true) => (WRITE_BARRIER, 0),
            (true, false) => (0, SOW),
        };
        let cuts = cuts(part, frames);
        let mut device = copy.device + part.moved;
        for (number, (cpu, bytes)) in cuts.iter().enumerate() {
            let buffer = self.host(*cpu);
            let (src, dst) = if copy.to_device {
                (buffer, device)
            } else {
                (device, buffer)
            };
            let is_last = number + 1 == cuts.len();
            let code = self.stage(src, dst, *bytes, if is_last { data_mode } else { 0 });
            if code != 0 {
                return Ok(Err(code));
            }
            device += bytes;
        }
        let code = self.stage_marker(completion, marker_mode)?;
        if code != 0 {
            return Ok(Err(code));
        }
        let pairs = cuts.len() as u32 + 1;
        let code = self.ring(pairs);
        Ok(if code == 0 { Ok(pairs) } else { Err(code) })
    }
}
