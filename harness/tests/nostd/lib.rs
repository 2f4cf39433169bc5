//! The pair builder and a queue for a C program, without std: only core, alloc and the
//! implementation, with the C library's allocator.
#![no_std]

use core::alloc::{GlobalAlloc, Layout};
use core::ffi::c_void;
use core::panic::PanicInfo;

use udma::engine::Udma;
use udma::engine::queue::QueueParams;
use udma::io::{Mmio, Space};
use udma::{Arch, Desc, DriverVersion, Line, PairBuilder, PairRequest};

unsafe extern "C" {
    fn aligned_alloc(alignment: usize, size: usize) -> *mut c_void;
    fn free(pointer: *mut c_void);
    fn abort() -> !;
}

struct CAllocator;

// SAFETY: memory of the C library, aligned as asked.
unsafe impl GlobalAlloc for CAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the alignment is a power of two and the size a multiple of it.
        unsafe { aligned_alloc(layout.align(), layout.pad_to_align().size()) }.cast()
    }

    unsafe fn dealloc(&self, pointer: *mut u8, _layout: Layout) {
        // SAFETY: it came from `alloc`.
        unsafe { free(pointer.cast()) }
    }
}

#[global_allocator]
static ALLOCATOR: CAllocator = CAllocator;

#[panic_handler]
fn panicked(_info: &PanicInfo) -> ! {
    // SAFETY: ends the program.
    unsafe { abort() }
}

const LINE: Line = Line::Kernel(DriverVersion::V2_26_5);

/// One pair, as the recorded driver builds it; the code.
///
/// # Safety
/// `tx` and `rx` are 16 bytes each.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nostd_pair(
    src: u64,
    dst: u64,
    size: u64,
    rx_ring_id: u32,
    tx_ring_id: u32,
    mode: i32,
    dst_int: bool,
    tx: *mut [u8; 16],
    rx: *mut [u8; 16],
) -> i32 {
    let request = PairRequest {
        src,
        dst,
        size,
        rx_ring_id,
        tx_ring_id,
        mode,
        dst_int,
        sow: false,
    };
    match PairBuilder::new(LINE, Arch::default()).pair(&request) {
        Ok((built_tx, built_rx)) => {
            // SAFETY: the caller hands over both.
            unsafe {
                tx.write(bytes(&built_tx));
                rx.write(bytes(&built_rx));
            }
            0
        }
        Err(error) => error.code(LINE).unwrap_or(i32::MIN),
    }
}

fn bytes(desc: &Desc) -> [u8; 16] {
    let mut bytes = [0; 16];
    for (part, word) in bytes.chunks_exact_mut(4).zip(desc.words()) {
        part.copy_from_slice(&word.to_le_bytes());
    }
    bytes
}

struct Writes(u32);

impl Mmio for Writes {
    fn read32(&mut self, _: Space, _: u64) -> u32 {
        0
    }
    fn write32(&mut self, _: Space, _: u64, _: u32) {
        self.0 += 1;
    }
    fn barrier(&mut self) {}
}

/// Registers written by the initialisation of queue `qid`, or the code of a refusal.
#[unsafe(no_mangle)]
pub extern "C" fn nostd_queue_init(qid: u32, size: u32) -> i32 {
    let mut engine = Udma::initialised(DriverVersion::V2_26_5, 16, 0);
    let params = QueueParams {
        size: [size, size],
        ..QueueParams::default()
    };
    let mut writes = Writes(0);
    match engine.init_queue(&mut writes, qid, &params) {
        Ok(()) => writes.0 as i32,
        Err(error) => error.code(LINE).unwrap_or(i32::MIN),
    }
}

/// Fields that a TX descriptor is explained by: their list is on the heap.
#[unsafe(no_mangle)]
pub extern "C" fn nostd_explained() -> u32 {
    udma::explain::fields(udma::desc::View::Tx, &Desc::default()).len() as u32
}
