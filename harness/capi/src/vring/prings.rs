//! Dumps into the caller's physical rings.

use core::ffi::c_void;

use udma::Desc;
use udma::io::Side;
use udma::vring::{Dump, Pring, PringType};
use udma_oracle::wire::Desc as Wire;
use udma_reference::abi::{udma_dump, udma_pring};

use super::rings;
use super::{code, side};
use crate::call::{In, InOut, MOST};

/// Bytes of a descriptor.
const DESC_BYTES: u64 = 16;

fn how(dump: &udma_dump) -> Dump {
    Dump {
        padded: (dump.plain == 0).then_some(dump.padded),
        scratch: dump.scratch,
        free: dump.free != 0,
    }
}

/// A pring of the caller for one call, in memory of our own: the caller's may be aligned to less.
struct Lent {
    structure: InOut<udma_pring>,
    memory: *mut Wire,
    before: Vec<Desc>,
    /// Its code where it cannot be one.
    pring: Result<Pring<Vec<Desc>>, i32>,
}

impl Lent {
    /// None where the memory cannot be.
    ///
    /// # Safety
    /// Unless a pointer is null, the structure and the memory that it names are there, and filled,
    /// for as long as the value is used.
    unsafe fn new(structure: *mut udma_pring) -> Option<Self> {
        // SAFETY: as asked of this function's caller.
        let structure = unsafe { InOut::one(structure) }?;
        let given = structure.get(0);
        let slots = (given.offset.div_ceil(DESC_BYTES)).checked_add(given.allocated.into())?;
        let memory = given.memory;
        // The largest half and the slots around it; more is a count that went wrong.
        if memory.is_null() || !memory.is_aligned() || slots > 2 * u64::from(MOST) {
            return None;
        }
        let before: Vec<Desc> = (0..slots as usize)
            // SAFETY: the caller made the memory large enough (PRNG-1).
            .map(|slot| Desc::from_words(unsafe { memory.add(slot).read() }.word))
            .collect();
        let pring = Pring::new(
            PringType(given.type_),
            before.clone(),
            given.offset,
            given.allocated,
        );
        let pring = pring.map_err(udma::vring::Error::code).map(|mut pring| {
            pring.set_used(given.used);
            pring
        });
        Some(Self {
            structure,
            memory,
            before,
            pring,
        })
    }

    /// Gives the caller what has changed.
    fn give_back(self) {
        let Ok(pring) = &self.pring else {
            return;
        };
        for (slot, (now, before)) in pring.memory().iter().zip(&self.before).enumerate() {
            if now != before {
                let word = now.words();
                // SAFETY: the slot was read from there.
                unsafe { self.memory.add(slot).write(Wire { word }) };
            }
        }
        let used = pring.used();
        self.structure.set(udma_pring {
            used,
            ..self.structure.get(0)
        });
    }
}

fn dump_one(vring: *mut c_void, half: Side, lent: &mut Lent, dump: &Dump) -> Option<i32> {
    let pring = match &mut lent.pring {
        Ok(pring) => pring,
        Err(code) => return Some(*code),
    };
    rings::change(vring, |vring| Some(code(vring.dump(half, pring, dump)))).or_else(|| {
        // One of a cache, which is not freed.
        let shared = |vring: &udma::vring::Vring| Some(code(vring.dump_shared(half, pring, dump)));
        (!dump.free).then(|| rings::look(vring, shared))?
    })
}

export! {
    /// DUMP-1..4.
    fn udma_vring_dump(
        vring: *mut c_void, half: u32, pring: *mut udma_pring, input: *const udma_dump, ret: *mut i32
    ) {
        // SAFETY: the caller hands over a pring with its memory, a structure and a code.
        let (mut lent, dump, ret) = unsafe {
            (Lent::new(pring)?, how(&In::one(input)?.get(0)), InOut::one(ret)?)
        };
        ret.set(dump_one(vring, side(half)?, &mut lent, &dump)?);
        lent.give_back();
        Some(())
    }

    /// DUMP-5.
    fn udma_vring_dump_both(
        vring: *mut c_void, tx: *mut udma_pring, tx_input: *const udma_dump,
        rx: *mut udma_pring, rx_input: *const udma_dump, ret: *mut i32
    ) {
        // SAFETY: the caller hands over two prings with their memory, two structures and a code.
        let (mut tx, mut rx, tx_dump, rx_dump, ret) = unsafe {
            (Lent::new(tx)?, Lent::new(rx)?, how(&In::one(tx_input)?.get(0)),
                how(&In::one(rx_input)?.get(0)), InOut::one(ret)?)
        };
        ret.set(match (&mut tx.pring, &mut rx.pring) {
            (Ok(tx), Ok(rx)) => rings::change(vring, |vring| {
                Some(code(vring.dump_both((tx, &tx_dump), (rx, &rx_dump))))
            })?,
            // TX goes first: it is dumped where RX cannot be.
            (Ok(_), Err(refused)) => {
                let refused = *refused;
                match dump_one(vring, Side::Tx, &mut tx, &tx_dump)? {
                    0 => refused,
                    code => code,
                }
            }
            (Err(refused), _) => *refused,
        });
        tx.give_back();
        rx.give_back();
        Some(())
    }
}
