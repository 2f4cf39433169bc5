//! A library behind the C ABI as a subject: the C lines, or one that was loaded.

use std::ffi::{CString, c_void};
use std::ptr;

use udma_reference::{Api, abi};

use crate::line::Line;
use crate::subject::cycle::Cycle;
use crate::subject::ops::Ops;
use crate::subject::vring::Vrings;
use crate::subject::{Engine, EngineCfg, PacketIn, QueueCfg, RingMemory, Subject, Tape};
use crate::wire::{
    BitCase, Desc, Fields, MetaFields, PairIn, PairOut, Place, QueueSw, Ring, RingState,
};

/// A library with its table of functions.
pub struct Library {
    name: String,
    line: Line,
    pub(super) api: Api,
}

impl Library {
    /// The C kernel line.
    pub fn kernel() -> Self {
        Self {
            name: "c-kernel".into(),
            line: Line::Kernel,
            api: Api::kernel(),
        }
    }

    /// The C HAL line.
    pub fn hal() -> Self {
        Self {
            name: "c-hal".into(),
            line: Line::Hal,
            api: Api::hal(),
        }
    }

    /// A table of functions under a name, for instance that of a loaded library.
    pub fn new(name: impl Into<String>, line: Line, api: Api) -> Self {
        Self {
            name: name.into(),
            line,
            api,
        }
    }
}

/// `None` unless the library carried the operation out.
pub(super) fn offered(code: i32) -> Option<()> {
    (code == 0).then_some(())
}

impl Subject for Library {
    fn name(&self) -> &str {
        &self.name
    }

    fn line(&self) -> Line {
        self.line
    }

    #[inline]
    fn decode(&self, descs: &[Desc], fields: &mut [Fields]) -> Option<()> {
        let count = descs.len().min(fields.len()) as u32;
        // SAFETY: both pointers cover `count` elements.
        offered(unsafe { self.api.decode?(descs.as_ptr(), fields.as_mut_ptr(), count) })
    }

    #[inline]
    fn encode(&self, fields: &[Fields], descs: &mut [Desc]) -> Option<()> {
        let count = descs.len().min(fields.len()) as u32;
        // SAFETY: both pointers cover `count` elements.
        offered(unsafe { self.api.encode?(fields.as_ptr(), descs.as_mut_ptr(), count) })
    }

    fn meta_decode(&self, word: u32) -> Option<MetaFields> {
        let mut out = MetaFields::default();
        // SAFETY: one word in, one structure out.
        offered(unsafe { self.api.meta_decode?(&raw const word, &raw mut out, 1) })?;
        Some(out)
    }

    fn meta_encode(&self, fields: &MetaFields) -> Option<u32> {
        let mut out = 0;
        // SAFETY: one structure in, one word out.
        offered(unsafe { self.api.meta_encode?(fields, &raw mut out, 1) })?;
        Some(out)
    }

    fn bits(&self, cases: &mut [BitCase]) -> Option<()> {
        // SAFETY: the pointer covers that many cases.
        offered(unsafe { self.api.bits?(cases.as_mut_ptr(), cases.len() as u32) })
    }

    #[inline]
    fn build_pairs(&self, cases: &[PairIn], out: &mut [PairOut]) -> Option<()> {
        let count = cases.len().min(out.len()) as u32;
        // SAFETY: both pointers cover `count` elements.
        offered(unsafe { self.api.build_pairs?(cases.as_ptr(), out.as_mut_ptr(), count) })
    }

    fn build_packet(&self, case: &PacketIn, tx: &mut [Desc], rx: &mut [Desc]) -> Option<i32> {
        assert!(tx.len() >= case.blocks.len().max(1) && rx.len() >= case.blocks.len().max(1));
        let packet = abi::udma_packet_in {
            blocks: case.blocks.as_ptr(),
            count: case.blocks.len() as u32,
            rx_ring_id: case.rx_ring_id,
            tx_ring_id: case.tx_ring_id,
            mode: case.mode,
            dst_int: case.dst_int.into(),
            sow: case.sow.into(),
            notify: case.notify.into(),
            arch: case.arch,
        };
        let mut ret = 0;
        // SAFETY: the blocks outlive the call and the slots hold at least as many descriptors.
        offered(unsafe {
            self.api.build_packet?(
                &raw const packet,
                tx.as_mut_ptr(),
                rx.as_mut_ptr(),
                &raw mut ret,
            )
        })?;
        Some(ret)
    }

    fn build_cme_meta(&self, index: u32) -> Option<Desc> {
        let mut out = Desc::default();
        // SAFETY: one descriptor out.
        offered(unsafe { self.api.build_cme_meta?(index, &raw mut out) })?;
        Some(out)
    }

    fn build_crc_copy(
        &self,
        case: &PairIn,
        index: u32,
        tx: &mut [Desc; 2],
        rx: &mut Desc,
    ) -> Option<i32> {
        let mut ret = 0;
        // SAFETY: two TX slots and one RX slot, as the header asks.
        offered(unsafe {
            self.api.build_crc_copy?(case, index, tx.as_mut_ptr(), rx, &raw mut ret)
        })?;
        Some(ret)
    }

    fn ring_size(&self, want: &[u32], out: &mut [u32]) -> Option<()> {
        let count = want.len().min(out.len()) as u32;
        // SAFETY: both pointers cover `count` numbers.
        offered(unsafe { self.api.ring_size?(want.as_ptr(), out.as_mut_ptr(), count) })
    }

    fn open(&self, cfg: &EngineCfg, tape: &Tape) -> Option<Box<dyn Engine>> {
        let tape = Box::new(tape.clone());
        let engine_cfg = abi::udma_engine_cfg {
            arch: cfg.arch.into(),
            driver: cfg.driver.into(),
            num_queues: cfg.num_queues,
            engine_id: cfg.engine_id,
            host: host(&tape),
        };
        let mut handle = ptr::null_mut();
        // SAFETY: the tape behind `ctx` is boxed and outlives the handle.
        offered(unsafe { self.api.engine_open?(&raw const engine_cfg, &raw mut handle) })?;
        Some(Box::new(LibraryEngine {
            api: self.api,
            handle,
            _tape: tape,
            memories: vec![RingMemory::default()],
        }))
    }

    fn layout(&self, kind: &str, name: &str, field: &str) -> Option<Place> {
        let text = |text: &str| CString::new(text).ok();
        let (kind, name, field) = (text(kind)?, text(name)?, text(field)?);
        let mut out = Place::default();
        // SAFETY: three terminated strings in, one structure out.
        offered(unsafe {
            self.api.layout?(kind.as_ptr(), name.as_ptr(), field.as_ptr(), &raw mut out)
        })?;
        Some(out)
    }

    fn ops(&self) -> Option<&dyn Ops> {
        Some(self)
    }

    fn cycle(&self) -> Option<&dyn Cycle> {
        Some(self)
    }

    fn vrings(&self) -> Option<&dyn Vrings> {
        Some(self)
    }
}

/// A host whose registers are a tape; the tape must outlive every use.
pub(super) fn host(tape: &Tape) -> abi::udma_host {
    abi::udma_host {
        ctx: (&raw const *tape).cast_mut().cast(),
        read32: Some(read32),
        write32: Some(write32),
        barrier: Some(barrier),
        ..abi::udma_host::default()
    }
}

unsafe extern "C" fn read32(ctx: *mut c_void, space: u32, offset: u64) -> u32 {
    // SAFETY: ctx is the boxed tape that `open` handed over.
    unsafe { &*ctx.cast::<Tape>() }.read(space, offset)
}

unsafe extern "C" fn write32(ctx: *mut c_void, space: u32, offset: u64, value: u32) {
    // SAFETY: as above.
    unsafe { &*ctx.cast::<Tape>() }.write(space, offset, value);
}

unsafe extern "C" fn barrier(ctx: *mut c_void) {
    // SAFETY: as above.
    unsafe { &*ctx.cast::<Tape>() }.barrier();
}

struct LibraryEngine {
    api: Api,
    handle: *mut c_void,
    // Behind the handle's ctx.
    _tape: Box<Tape>,
    // All that were ever handed over: a refused initialisation leaves the older one in use.
    memories: Vec<RingMemory>,
}

impl Drop for LibraryEngine {
    fn drop(&mut self) {
        if let Some(close) = self.api.engine_close {
            // SAFETY: the handle came from engine_open and is not used afterwards.
            unsafe { close(self.handle) };
        }
    }
}

impl Engine for LibraryEngine {
    fn queue_init(&mut self, qid: u32, cfg: &QueueCfg) -> Option<i32> {
        let memory = RingMemory::new(cfg.size);
        let pointer = |ring: Ring| {
            if cfg.has_memory[ring as usize] {
                memory.base(ring)
            } else {
                ptr::null_mut()
            }
        };
        let queue_cfg = abi::udma_queue_cfg {
            tx_size: cfg.size[0],
            rx_size: cfg.size[1],
            tx_mem: pointer(Ring::Tx),
            rx_mem: pointer(Ring::Rx),
            tx_base: cfg.base[0],
            rx_base: cfg.base[1],
            allocatable: cfg.allocatable.into(),
            completion_ring: cfg.completion_ring.into(),
        };
        let mut ret = 0;
        // SAFETY: the handle is open; the ring memory is kept for as long as the handle lives (its
        // slots do not move with the value).
        let code =
            unsafe { self.api.queue_init?(self.handle, qid, &raw const queue_cfg, &raw mut ret) };
        self.memories.push(memory);
        offered(code)?;
        Some(ret)
    }

    fn queue_sw(&self, qid: u32, ring: Ring) -> Option<QueueSw> {
        let mut out = QueueSw::default();
        // SAFETY: the handle is open; one structure out.
        offered(unsafe { self.api.queue_sw?(self.handle, qid, ring as u32, &raw mut out) })?;
        Some(out)
    }

    fn get(&mut self, qid: u32, ring: Ring) -> Option<i64> {
        let mut slot = 0;
        // SAFETY: the handle is open; one number out.
        offered(unsafe { self.api.ring_get?(self.handle, qid, ring as u32, &raw mut slot) })?;
        Some(slot)
    }

    fn ring_id(&mut self, qid: u32, ring: Ring) -> Option<u32> {
        let mut id = 0;
        // SAFETY: the handle is open; one number out.
        offered(unsafe { self.api.ring_id?(self.handle, qid, ring as u32, &raw mut id) })?;
        Some(id)
    }

    fn ack(&mut self, qid: u32, ring: Ring, count: u32) -> Option<i32> {
        let mut ret = 0;
        // SAFETY: the handle is open; one number out.
        offered(unsafe { self.api.ring_ack?(self.handle, qid, ring as u32, count, &raw mut ret) })?;
        Some(ret)
    }

    fn available(&mut self, qid: u32, ring: Ring) -> Option<i64> {
        let mut free = 0;
        // SAFETY: the handle is open; one number out.
        offered(unsafe { self.api.ring_available?(self.handle, qid, ring as u32, &raw mut free) })?;
        Some(free)
    }

    fn prepare(&mut self, qid: u32, pair: &PairIn) -> Option<i32> {
        let mut ret = 0;
        // SAFETY: the handle is open and its ring memory is alive in `self.memories`.
        offered(unsafe { self.api.prepare?(self.handle, qid, pair, &raw mut ret) })?;
        Some(ret)
    }

    fn copy_start(&mut self, qid: u32, m2s_count: u32, s2m_count: u32) -> Option<i32> {
        let mut ret = 0;
        // SAFETY: the handle is open; one number out.
        offered(unsafe {
            self.api.copy_start?(self.handle, qid, m2s_count, s2m_count, &raw mut ret)
        })?;
        Some(ret)
    }

    fn queue_state(&mut self, qid: u32, sw_status: [u32; 2]) -> Option<[RingState; 2]> {
        let mut out = [RingState::default(); 2];
        let [tx, rx] = &mut out;
        // SAFETY: the handle is open; two structures out.
        offered(unsafe {
            self.api.queue_state?(self.handle, qid, sw_status[0], sw_status[1], tx, rx)
        })?;
        Some(out)
    }

    fn memory(&self) -> &RingMemory {
        self.memories.last().expect("never empty")
    }
}
