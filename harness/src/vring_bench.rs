//! `udma bench --vring`: virtual rings beside the C line and beside `memcpy`, in one run.

mod plot;

use std::ffi::c_void;
use std::hint::black_box;
use std::path::Path;
use std::process::ExitCode;
use std::ptr;
use std::time::{Duration, Instant};

use udma::io::Side;
use udma::vring::{CAP, Dump, Pring, Transfer, Vring};
use udma::{Arch, Desc};
use udma_reference::{Api, abi};

use crate::cli::{BenchArgs, print};
use crate::failure::Failure;
use crate::stream;

/// Rounds, in turns; the best one counts.
const ROUNDS: usize = 5;
/// Appends and packed descriptors of a round.
pub const PAIRS: u32 = 1 << 19;
/// A copy of one chunk.
const CHUNK: Transfer = Transfer {
    src: 0x10_0000,
    dst: 0x9000_0000,
    size: 65_536,
    ordered: false,
};
/// Bytes of a packet, for packing that joins: 64 chunks.
pub const JOINED: u64 = 1 << 22;

/// A vring of the C line.
pub struct Reference {
    api: Api,
    vring: *mut c_void,
}

impl Default for Reference {
    fn default() -> Self {
        Self::new()
    }
}

impl Reference {
    /// An empty one.
    ///
    /// # Panics
    /// Without memory.
    pub fn new() -> Self {
        let (api, mut vring) = (Api::hal(), ptr::null_mut());
        if let Some(open) = api.vring_open {
            // SAFETY: a terminated name in, one handle out.
            unsafe { open(c"v".as_ptr(), &raw mut vring) };
        }
        assert!(!vring.is_null(), "a vring of the C line");
        Self { api, vring }
    }

    /// Appends transfers of one chunk.
    pub fn append(&mut self, count: u32) {
        let Some(transfer) = self.api.vring_transfer else {
            return;
        };
        let copy = abi::udma_vring_copy {
            src: CHUNK.src,
            dst: CHUNK.dst,
            size: CHUNK.size,
            arch: abi::UDMA_ARCH_CAYMAN as u8,
            ..abi::udma_vring_copy::default()
        };
        let mut ret = 0;
        for _ in 0..count {
            // SAFETY: the handle is open; one structure in, one code out.
            unsafe { transfer(self.vring, black_box(&raw const copy), &raw mut ret) };
        }
        assert_eq!(ret, 0, "an append");
    }

    /// Packs descriptors from the first on.
    pub fn pack(&mut self, count: u32, max_bytes: u64) {
        let mut out = abi::udma_packed::default();
        if let Some(pack) = self.api.vring_pack {
            let arch = abi::UDMA_ARCH_CAYMAN;
            // SAFETY: the handle is open; one structure out.
            unsafe { pack(self.vring, arch, 0, count, max_bytes, &raw mut out) };
        }
        assert_eq!(out.ret, 0, "a pack");
    }
}

impl Drop for Reference {
    fn drop(&mut self) {
        if let Some(close) = self.api.vring_close {
            // SAFETY: the handle is open and not used again.
            unsafe { close(self.vring) };
        }
    }
}

/// Appends transfers of one chunk.
///
/// # Panics
/// At the cap.
pub fn append(vring: &mut Vring, count: u32) {
    for _ in 0..count {
        let added = vring.add_transfer(Arch::Cayman, black_box(&CHUNK));
        assert!(added.is_ok(), "an append");
    }
}

/// A full half's dump, to memory that was touched; and the bytes as one block.
pub struct FullDump {
    vring: Vring,
    pring: Pring<Vec<Desc>>,
    block: Vec<Desc>,
}

impl FullDump {
    /// Authors a full vring.
    ///
    /// # Panics
    /// Without memory.
    pub fn new() -> Self {
        let mut vring = Vring::new("v");
        let whole = Transfer {
            size: u64::from(CAP) * CHUNK.size,
            ..CHUNK
        };
        let added = vring.add_transfer(Arch::Cayman, &whole);
        assert!(added.is_ok(), "a full vring");
        let block: Vec<Desc> = vring.half(Side::Tx).iter().copied().collect();
        let mut pring = Pring::allocate(Side::Tx, CAP).expect("memory for a full ring");
        pring.slots_mut().copy_from_slice(&block); // touches every page
        Self {
            vring,
            pring,
            block,
        }
    }

    /// Dumps the half, a page at a time past the cache.
    pub fn dump(&mut self) {
        let plain = Dump::default();
        let dumped = self
            .vring
            .dump_with(Side::Tx, &mut self.pring, &plain, stream::copy);
        assert!(dumped.is_ok(), "a dump");
    }

    /// Copies as many bytes from one block to the same memory.
    pub fn memcpy(&mut self) {
        self.pring
            .slots_mut()
            .copy_from_slice(black_box(&self.block));
    }
}

impl Default for FullDump {
    fn default() -> Self {
        Self::new()
    }
}

fn timed(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

/// Best times of two rivals, taken in turns.
fn rivals(mut one: impl FnMut() -> Duration, mut other: impl FnMut() -> Duration) -> [Duration; 2] {
    let mut best = [Duration::MAX; 2];
    for _ in 0..ROUNDS {
        best[0] = best[0].min(one());
        best[1] = best[1].min(other());
    }
    best
}

/// A line of the summary: how fast the first is beside the second.
fn line(what: &str, best: [Duration; 2], count: u32, against: &str, bound: f64) -> String {
    let each = best.map(|time| time.as_secs_f64() * 1e9 / f64::from(count));
    format!(
        "  {what:<34} {:>6.2} ns each, {against} {:>6.2}: {:.2} of its speed (at least {bound:.1})\n",
        each[0],
        each[1],
        each[1] / each[0]
    )
}

fn appends() -> String {
    // The first round of either touches the pages that the allocator hands out again.
    let ours = || {
        let mut vring = Vring::new("v");
        timed(|| append(&mut vring, PAIRS))
    };
    let theirs = || {
        let mut vring = Reference::new();
        timed(|| vring.append(PAIRS))
    };
    line(
        "append of a 64 KiB copy",
        rivals(ours, theirs),
        PAIRS,
        "C line",
        1.0,
    )
}

fn packs() -> String {
    let (mut vring, mut reference) = (Vring::new("v"), Reference::new());
    append(&mut vring, PAIRS);
    reference.append(PAIRS);
    let mut ours = |max_bytes| {
        timed(|| {
            let packed = vring.pack(Arch::Cayman, 0..PAIRS, max_bytes);
            assert!(packed.is_ok(), "a pack");
        })
    };
    let mut theirs = |max_bytes| timed(|| reference.pack(PAIRS, max_bytes));
    // Each round joins what was parted, and parts it again.
    let (mut joined, mut parted) = ([Duration::MAX; 2], [Duration::MAX; 2]);
    for _ in 0..ROUNDS {
        for (best, max_bytes) in [(&mut joined, JOINED), (&mut parted, 1)] {
            best[0] = best[0].min(ours(max_bytes));
            best[1] = best[1].min(theirs(max_bytes));
        }
    }
    line("pack, joined", joined, PAIRS, "C line", 1.0)
        + &line("pack, parted again", parted, PAIRS, "C line", 1.0)
}

fn dumps() -> String {
    let full = std::cell::RefCell::new(FullDump::new());
    let best = rivals(
        || timed(|| full.borrow_mut().dump()),
        || timed(|| full.borrow_mut().memcpy()),
    );
    line("dump of 16,777,200 descriptors", best, CAP, "memcpy", 0.9)
}

/// A value in KiB of this process's status.
fn status(field: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(field))?;
    line.trim_start_matches(':')
        .split_whitespace()
        .next()?
        .parse()
        .ok()
}

/// Peak memory of a full vring beside its descriptors; a line that says so where the system does
/// not tell.
fn memory() -> String {
    // 5 sets the peak back to what is resident now.
    let reset = std::fs::write("/proc/self/clear_refs", "5");
    let before = status("VmRSS");
    let mut vring = Vring::new("v");
    append(&mut vring, CAP);
    let peak = status("VmHWM");
    match (reset, before, peak) {
        (Ok(()), Some(before), Some(peak)) => {
            let descriptors = 32.0 * f64::from(CAP);
            let ratio = (peak - before) as f64 * 1024.0 / descriptors;
            format!(
                "  peak memory at the cap              {ratio:.3} of both halves' descriptors (at most 1.1)\n"
            )
        }
        _ => "  peak memory at the cap              not told by this system\n".into(),
    }
}

/// Descriptors of a half at which the cost is taken.
const SIZES: [u32; 9] = [
    1_000, 4_000, 16_000, 65_000, 250_000, 1_000_000, 4_000_000, 8_000_000, 16_000_000,
];

/// Nanoseconds a pair of authoring, packing and dumping vrings of a size.
fn cost(size: u32, pring: &mut Pring<Vec<Desc>>) -> f64 {
    let times = (1_000_000 / size).max(1);
    let mut best = f64::MAX;
    for _ in 0..ROUNDS {
        let taken = timed(|| {
            for _ in 0..times {
                let mut vring = Vring::new("v");
                append(&mut vring, size);
                let packed = vring.pack(Arch::Cayman, 0..size, JOINED);
                let plain = Dump::default();
                let dumped = vring.dump_with(Side::Tx, pring, &plain, stream::copy);
                assert!(packed.is_ok() && dumped.is_ok(), "a life of a vring");
            }
        });
        best = best.min(taken.as_secs_f64() * 1e9 / f64::from(times) / f64::from(size));
    }
    best
}

fn costs(plot: Option<&Path>) -> Result<String, Failure> {
    let mut pring =
        Pring::allocate(Side::Tx, CAP).map_err(|error| Failure::Input(error.to_string()))?;
    pring.slots_mut().fill(Desc::new(1, 1, 1)); // touches every page
    let points: Vec<(u32, f64)> = SIZES
        .into_iter()
        .map(|size| (size, cost(size, &mut pring)))
        .collect();
    let worst = points.iter().map(|(_, cost)| *cost).fold(0.0, f64::max);
    let best = points
        .iter()
        .map(|(_, cost)| *cost)
        .fold(f64::MAX, f64::min);
    let mut text = format!(
        "  cost of a pair: append, pack, dump  max/min {:.2} (at most 2)\n",
        worst / best
    );
    for (size, cost) in &points {
        text += &format!("    {size:>10} {cost:>7.2} ns\n");
    }
    if let Some(file) = plot {
        crate::vring::write_all(&[(file.to_path_buf(), plot::draw(&points).into_bytes())])?;
        text += &format!("  drawn in {}\n", file.display());
    }
    Ok(text)
}

/// Runs the command.
///
/// # Errors
/// The plot cannot be written, or standard output is gone.
pub fn run(args: &BenchArgs) -> Result<ExitCode, Failure> {
    // First, while the process holds nothing else.
    let memory = memory();
    print(&format!(
        "virtual rings, one core, best of {ROUNDS} in turns\n{memory}"
    ))?;
    print(&appends())?;
    print(&packs())?;
    print(&dumps())?;
    print(&costs(args.plot.as_deref())?)?;
    Ok(ExitCode::SUCCESS)
}
