//! Copies between the pages of a user buffer and device memory, without a staging buffer (ZC).
//!
//! A copy goes in [`steps`]; a step's pages are pinned, joined into [`runs`], staged with a marker
//! of their own and rung. Two variants keep steps in flight: [`pair`], two contexts in turn, as in
//! 2.26.5.0, and [`queue`], the context queue of 2.27.4.0.

pub mod completions;
pub mod contexts;
pub mod pair;
pub mod queue;
pub mod runs;
pub mod steps;

use alloc::vec;
use alloc::vec::Vec;

use super::host::host_address;
use super::marker::CompletionBuffer;
use super::transfer::QueueConfig;
use crate::arch::Arch;
use crate::copy::PairRequest;
use crate::engine::Udma;
use crate::error::Error;
use crate::fault::mutant;
use crate::io::{Host, UserPages};
use crate::ordering::Ordering;
use runs::Cuts;
use steps::Step;

/// A copy between a user buffer and device memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// User address of the buffer; need not be page-aligned.
    pub user: u64,
    /// Device address, as the engine sees it.
    pub device: u64,
    /// Bytes; 0 stages nothing.
    pub size: u64,
    /// A write: from the user buffer to the device. Else a read.
    pub to_device: bool,
    /// The core that asks (ZC-7).
    pub core: u32,
}

/// Whether zero-copy is offered: not where a batch may have to be retried, unless overridden
/// (RTRY-2). The copies themselves do not look at this.
pub fn is_offered(arch: Arch, overridden: bool) -> bool {
    arch != Arch::Sunda || overridden || mutant(174)
}

/// ZC-7.
fn check_owner(config: &QueueConfig, core: u32) -> Result<(), Error> {
    let owner = config.core;
    if core == owner || mutant(194) {
        Ok(())
    } else {
        Err(Error::NotOwner { core, owner })
    }
}

/// Ordering modes of the last data pair and of the marker of a step (ZC-5).
fn modes(arch: Arch, to_device: bool, ends_copy: bool) -> (Ordering, Ordering) {
    if !(to_device && ends_copy) {
        return (Ordering::None, Ordering::None);
    }
    match arch {
        Arch::Sunda => (Ordering::WriteBarrier, Ordering::None),
        Arch::Cayman | Arch::Mariana if mutant(190) => (Ordering::WriteBarrier, Ordering::None),
        Arch::Cayman | Arch::Mariana if mutant(191) => (Ordering::None, Ordering::None),
        Arch::Cayman | Arch::Mariana => (Ordering::None, Ordering::Sow),
    }
}

/// Pins the pages of a step: their CPU physical addresses.
fn pin(pages: &mut impl UserPages, step: &Step) -> Result<Vec<u64>, Error> {
    let (page, count) = (step.page(), step.pages());
    let mut frames = vec![0; count];
    if pages.pin(page, &mut frames) {
        Ok(frames)
    } else {
        Err(Error::NotPinned { page, count })
    }
}

/// Stages a step and its marker and rings both rings; gives the pairs rung (ZC-3 to ZC-6).
fn send(
    config: &QueueConfig,
    udma: &mut Udma,
    host: &mut impl Host,
    request: &Request,
    step: &Step,
    frames: &[u64],
    completion: &CompletionBuffer,
) -> Result<u32, Error> {
    let (last_mode, marker_mode) = modes(config.arch, request.to_device, step.is_last);
    let mut device = request.device.wrapping_add(step.moved);
    let mut pairs = 0;
    let mut cuts = Cuts::new(frames, step.offset(), step.bytes).peekable();
    while let Some((frame, size)) = cuts.next() {
        let buffer = host_address(config.arch, frame);
        let mode = if cuts.peek().is_none() {
            last_mode
        } else {
            Ordering::None
        };
        // ZC-4
        let from_buffer = request.to_device ^ mutant(189);
        let (src, dst) = if from_buffer {
            (buffer, device)
        } else {
            (device, buffer)
        };
        let pair = PairRequest {
            src,
            dst,
            size,
            mode: mode as i32,
            ..PairRequest::default()
        };
        udma.prepare(host, config.qid, &pair)?;
        device = device.wrapping_add(size);
        pairs += 1;
    }
    completion.stage(udma, host, config.qid, marker_mode)?;
    pairs += 1;
    udma.copy_start(host, config.qid, pairs, pairs)?;
    Ok(pairs)
}
