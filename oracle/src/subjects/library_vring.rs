//! The virtual rings of a library behind the C ABI.

mod rings;

use std::cell::Cell;
use std::ffi::{CString, c_char, c_void};
use std::ptr;
use std::rc::Rc;

use udma_reference::{Api, abi};

use super::Library;
use super::library::offered;
use crate::subject::vring::{
    CacheStats, Dump, HalfState, Header, Machine, Member, Op, Outcome, Packet, PringState,
    Transfer, Vrings,
};
use crate::wire::{Desc, Place, Ring};

/// Pages that a gate still grants; none: any number.
type Budget = Cell<Option<u32>>;

unsafe extern "C" fn grant(ctx: *mut c_void) -> i32 {
    // SAFETY: ctx is a budget that the machine keeps for as long as it lives.
    let budget = unsafe { &*ctx.cast::<Budget>() };
    match budget.get() {
        None => 1,
        Some(0) => 0,
        Some(left) => {
            budget.set(Some(left - 1));
            1
        }
    }
}

/// A pring and the memory that it lies in.
struct Pring {
    made: abi::udma_pring,
    memory: Vec<Desc>,
}

/// A ring that is held: the cache it came from, by index, and its handle.
#[derive(Clone, Copy)]
struct Holding {
    cache: usize,
    ring: *mut c_void,
}

struct LibraryMachine {
    api: Api,
    arch: u8,
    vring: *mut c_void,
    prings: [Option<Pring>; 2],
    /// All that were ever opened: holdings may outlive their cache's turn.
    caches: Vec<*mut c_void>,
    holdings: Vec<Option<Holding>>,
    /// Behind the gates' ctx.
    budgets: Vec<Rc<Budget>>,
}

impl Drop for LibraryMachine {
    fn drop(&mut self) {
        for holding in self.holdings.iter().flatten() {
            if let Some(release) = self.api.cache_release {
                // SAFETY: the cache is open and the ring is held once for this entry.
                unsafe { release(self.caches[holding.cache], holding.ring) };
            }
        }
        for cache in &self.caches {
            if let Some(close) = self.api.cache_close {
                // SAFETY: the cache is open, and all its holdings were released.
                unsafe { close(*cache) };
            }
        }
        self.close();
    }
}

impl LibraryMachine {
    fn close(&mut self) {
        if let Some(close) = self.api.vring_close {
            // SAFETY: the handle is open and is replaced or never used again.
            unsafe { close(self.vring) };
        }
    }

    fn copy(&self, transfer: &Transfer) -> abi::udma_vring_copy {
        abi::udma_vring_copy {
            src: transfer.src,
            dst: transfer.dst,
            size: transfer.size,
            ordered: transfer.ordered.into(),
            arch: self.arch,
            ..abi::udma_vring_copy::default()
        }
    }

    fn packet(&self, packet: &Packet) -> Option<Outcome> {
        let input = abi::udma_packet_in {
            blocks: packet.blocks.as_ptr(),
            count: packet.blocks.len() as u32,
            rx_ring_id: 0,
            tx_ring_id: 0,
            mode: packet.mode,
            dst_int: packet.dst_int.into(),
            sow: packet.sow.into(),
            notify: packet.notify.into(),
            arch: self.arch,
        };
        let mut ret = 0;
        // SAFETY: the handle is open; the blocks outlive the call; one code out.
        offered(unsafe { self.api.vring_packet?(self.vring, &raw const input, &raw mut ret) })?;
        Some(Outcome::refused(ret))
    }

    fn author(&self, op: &Op) -> Option<Outcome> {
        let mut ret = 0;
        match op {
            Op::Transfer(transfer) => {
                let input = self.copy(transfer);
                // SAFETY: the handle is open; one structure in, one code out.
                offered(unsafe {
                    self.api.vring_transfer?(self.vring, &raw const input, &raw mut ret)
                })?;
            }
            Op::TransferEx(transfer) => {
                let input = self.copy(transfer);
                // SAFETY: as above.
                offered(unsafe {
                    self.api.vring_transfer_ex?(self.vring, &raw const input, &raw mut ret)
                })?;
            }
            Op::Poke { event, src, dst } => {
                let kind = if *event {
                    abi::UDMA_POKE_EVENT
                } else {
                    abi::UDMA_POKE_SEMAPHORE
                };
                let arch = self.arch.into();
                // SAFETY: the handle is open; one code out.
                offered(unsafe {
                    self.api.vring_poke?(self.vring, arch, kind, *src, *dst, &raw mut ret)
                })?;
            }
            Op::Packet(packet) => return self.packet(packet),
            Op::Raw { half, desc } => {
                // SAFETY: the handle is open; one descriptor in, one code out.
                offered(unsafe {
                    self.api.vring_raw?(self.vring, *half as u32, desc, 1, &raw mut ret)
                })?;
            }
            _ => return self.edit(op),
        }
        Some(Outcome::refused(ret))
    }

    fn edit(&self, op: &Op) -> Option<Outcome> {
        let arch = u32::from(self.arch);
        match op {
            Op::Pack {
                start,
                end,
                max_bytes,
            } => {
                let mut out = abi::udma_packed::default();
                // SAFETY: the handle is open; one structure out.
                offered(unsafe {
                    self.api.vring_pack?(self.vring, arch, *start, *end, *max_bytes, &raw mut out)
                })?;
                Some(Outcome {
                    code: out.ret,
                    value: if out.ret == 0 { out.delta } else { 0 },
                    over_rx: if out.ret == 0 { out.over_rx } else { 0 },
                })
            }
            Op::DmbOnLastPacket => {
                let (mut set, mut ret) = (0, 0);
                // SAFETY: the handle is open; two numbers out.
                offered(unsafe {
                    self.api.vring_dmb_on_last_packet?(self.vring, arch, &raw mut set, &raw mut ret)
                })?;
                Some(Outcome {
                    code: ret,
                    ..Outcome::of(if ret == 0 { set.into() } else { 0 })
                })
            }
            Op::AddrRewrite {
                base,
                size,
                new_base,
            } => {
                let mut moved = 0;
                // SAFETY: the handle is open; one number out.
                offered(unsafe {
                    self.api.vring_addr_rewrite?(
                        self.vring,
                        *base,
                        *size,
                        *new_base,
                        &raw mut moved,
                    )
                })?;
                Some(Outcome::of(moved as i64))
            }
            _ => self.semaphore(op),
        }
    }

    fn semaphore(&self, op: &Op) -> Option<Outcome> {
        let mut input = abi::udma_semaphore {
            arch: self.arch,
            ..abi::udma_semaphore::default()
        };
        let mut out = 0;
        match op {
            Op::SemaphoreWanted { enabled } => {
                input.enabled = (*enabled).into();
                // SAFETY: the handle is open; one structure in, one number out.
                offered(unsafe {
                    self.api.vring_semaphore_wanted?(self.vring, &raw const input, &raw mut out)
                })?;
            }
            Op::EmbedSemaphore {
                enabled,
                set_sow,
                csr_index,
                semaphore,
            } => {
                input.enabled = (*enabled).into();
                input.set_sow = (*set_sow).into();
                (input.csr_index, input.semaphore) = (*csr_index, *semaphore);
                // SAFETY: as above.
                offered(unsafe {
                    self.api.vring_embed_semaphore?(self.vring, &raw const input, &raw mut out)
                })?;
            }
            _ => return None,
        }
        Some(Outcome::of(out.into()))
    }

    fn resolve(&self, addresses: &[u64]) -> Option<Outcome> {
        let mut out = abi::udma_resolved::default();
        // SAFETY: the handle is open; the list outlives the call; one structure out.
        offered(unsafe {
            self.api.vring_resolve?(
                self.vring,
                addresses.as_ptr(),
                addresses.len() as u32,
                &raw mut out,
            )
        })?;
        Some(resolved(&out, out.count as i64))
    }

    fn deep_copy(&mut self) -> Option<Outcome> {
        let (mut copy, mut ret) = (ptr::null_mut(), 0);
        // SAFETY: the handle is open; one handle and one code out.
        offered(unsafe { self.api.vring_deep_copy?(self.vring, &raw mut copy, &raw mut ret) })?;
        if !copy.is_null() {
            self.close();
            self.vring = copy;
        }
        Some(Outcome::refused(ret))
    }

    fn budget(&mut self, pages: Option<u32>) -> Option<Outcome> {
        let budget = Rc::new(Cell::new(pages));
        let gate = abi::udma_page_gate {
            ctx: Rc::as_ptr(&budget).cast_mut().cast(),
            grant: Some(grant),
        };
        self.budgets.push(budget);
        // SAFETY: the handle is open; the budget behind ctx outlives it.
        offered(unsafe { self.api.vring_page_gate?(self.vring, &raw const gate) })?;
        Some(Outcome::of(0))
    }

    fn read_ring(&self, ring: *mut c_void, half: Ring, first: u32, out: &mut [Desc]) -> u32 {
        let mut count = 0;
        let Some(read) = self.api.vring_read else {
            return 0;
        };
        // SAFETY: the handle is open; `out` holds as many descriptors as are asked for.
        unsafe {
            read(
                ring,
                half as u32,
                first,
                out.len() as u32,
                out.as_mut_ptr(),
                &raw mut count,
            )
        };
        count
    }
}

fn resolved(out: &abi::udma_resolved, value: i64) -> Outcome {
    if out.ret == 0 {
        Outcome::of(value)
    } else {
        Outcome {
            code: out.ret,
            ..Outcome::of(out.variable.into())
        }
    }
}

impl Machine for LibraryMachine {
    fn step(&mut self, op: &Op) -> Option<Outcome> {
        match op {
            Op::Template { max_var_id } => {
                // SAFETY: the handle is open.
                offered(unsafe { self.api.vring_template?(self.vring, *max_var_id) })?;
                Some(Outcome::of(0))
            }
            Op::Resolve { addresses } => self.resolve(addresses),
            Op::DeepCopy => self.deep_copy(),
            Op::Free => {
                // SAFETY: the handle is open.
                offered(unsafe { self.api.vring_free?(self.vring) })?;
                Some(Outcome::of(0))
            }
            Op::Pring {
                half,
                descriptors,
                wrap,
                offset,
            } => self.make(*half, *descriptors, *wrap, *offset),
            Op::PringSize { descriptors, wrap } => {
                Some(Outcome::of(self.size(*descriptors, *wrap)? as i64))
            }
            Op::Dump { half, pring, dump } => self.dump(*half, *pring, dump),
            Op::DumpBoth {
                tx_padded,
                rx_padded,
                scratch,
                free,
            } => {
                let dump = |padded: &Option<u32>| Dump {
                    padded: *padded,
                    scratch: *scratch,
                    free: *free,
                };
                self.dump_both(&dump(tx_padded), &dump(rx_padded))
            }
            Op::PageBudget { pages } => self.budget(*pages),
            Op::Cache { capacity } => self.open_cache(*capacity),
            Op::Acquire { addresses } => self.acquire(addresses),
            Op::Release { holding } => self.release(*holding),
            _ => self.author(op),
        }
    }

    fn header(&self) -> Option<Header> {
        let mut image = Box::new(abi::udma_vring_image {
            // Bytes that the library leaves alone show.
            name: [0x5a; 256],
            ..abi::udma_vring_image::default()
        });
        // SAFETY: the handle is open; one structure out.
        offered(unsafe { self.api.vring_image?(self.vring, &raw mut *image) })?;
        let half = |half: &abi::udma_vring_half, total| HalfState {
            used: half.used_desc_count,
            pages: [!half.head.is_null(), !half.tail.is_null()],
            is_template: half.is_template,
            max_var_id: half.max_var_id,
            total,
        };
        Some(Header {
            name: text(&image.name),
            halves: [
                half(&image.tx, image.total_tx_size),
                half(&image.rx, image.total_rx_size),
            ],
            stochastic_rounding: image.stochastic_rounding,
        })
    }

    fn read(&self, half: Ring, first: u32, out: &mut [Desc]) -> u32 {
        self.read_ring(self.vring, half, first, out)
    }

    fn pring(&self, ring: Ring) -> Option<PringState> {
        self.prings[ring as usize].as_ref().map(|pring| PringState {
            used: pring.made.used,
            allocated: pring.made.allocated,
            memory: pring.memory.len() as u64,
        })
    }

    fn read_pring(&self, ring: Ring, first: u64, out: &mut [Desc]) {
        if let Some(pring) = &self.prings[ring as usize] {
            let first = first as usize;
            out.copy_from_slice(&pring.memory[first..first + out.len()]);
        }
    }

    fn cache(&self) -> Option<CacheStats> {
        let mut out = CacheStats::default();
        // SAFETY: the cache is open; one structure out.
        offered(unsafe { self.api.cache_stats?(*self.caches.last()?, &raw mut out) })?;
        Some(out)
    }

    fn read_held(&self, holding: u32, half: Ring, first: u32, out: &mut [Desc]) -> u32 {
        match self.holdings.get(holding as usize) {
            Some(Some(held)) => self.read_ring(held.ring, half, first, out),
            _ => 0,
        }
    }
}

/// Up to the NUL.
fn text(name: &[c_char]) -> Vec<u8> {
    let bytes = name.iter().map(|byte| byte.cast_unsigned());
    bytes.take_while(|byte| *byte != 0).collect()
}

impl Vrings for Library {
    fn machine(&self, arch: u8) -> Option<Box<dyn Machine + '_>> {
        let mut vring = ptr::null_mut();
        // SAFETY: a terminated name in, one handle out.
        offered(unsafe { self.api.vring_open?(c"v".as_ptr(), &raw mut vring) })?;
        (!vring.is_null()).then(|| {
            Box::new(LibraryMachine {
                api: self.api,
                arch,
                vring,
                prings: [None, None],
                caches: Vec::new(),
                holdings: Vec::new(),
                budgets: Vec::new(),
            }) as Box<dyn Machine>
        })
    }

    fn place(&self, structure: &str, field: &str) -> Option<Option<Place>> {
        let ask = self.api.vring_layout?;
        let (structure, field) = (CString::new(structure).ok()?, CString::new(field).ok()?);
        let mut out = Place::default();
        // SAFETY: two terminated strings in, one structure out.
        let code = unsafe { ask(structure.as_ptr(), field.as_ptr(), &raw mut out) };
        Some(offered(code).map(|()| out))
    }

    fn set(&self, name: &str, rounding: bool, most: usize) -> Option<(Vec<Member>, i32)> {
        let (add, close) = (self.api.set_add?, self.api.set_close?);
        let name = CString::new(name).ok()?;
        let mut set = ptr::null_mut();
        // SAFETY: a terminated name in, one handle out.
        offered(unsafe { self.api.set_open?(name.as_ptr(), rounding.into(), &raw mut set) })?;
        let (mut members, mut ret) = (Vec::new(), 0);
        while members.len() < most {
            let mut vring = ptr::null_mut();
            // SAFETY: the set is open; one handle and one code out.
            offered(unsafe { add(set, &raw mut vring, &raw mut ret) })?;
            if ret != 0 || vring.is_null() {
                break;
            }
            let mut image = Box::new(abi::udma_vring_image {
                name: [0; 256],
                ..abi::udma_vring_image::default()
            });
            // SAFETY: the vring lives as long as its set; one structure out.
            offered(unsafe { self.api.vring_image?(vring, &raw mut *image) })?;
            members.push(Member {
                name: text(&image.name),
                stochastic_rounding: image.stochastic_rounding,
            });
        }
        // SAFETY: the set is open and not used again.
        unsafe { close(set) };
        Some((members, ret))
    }
}
