//! What a subject does outside while a call is under way: the suite does it, in order, and tells what
//! each gave.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use udma_oracle::subject::cycle::Host;
use udma_oracle::wire::{Desc, Ring};

/// Most pages that are pinned at a time.
const MOST_PAGES: u32 = 1 << 16;

/// One access; names are those of `struct udma_host`.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Access {
    /// Register: space, offset. Gives its value.
    Read32(u32, u64),
    /// Register: space, offset, value.
    Write32(u32, u64, u32),
    /// Full memory barrier.
    Barrier,
    /// A word at a CPU address. Gives its value.
    Load32(u64),
    /// A word at a CPU address: address, value.
    Store32(u64, u32),
    /// Bytes at a CPU address: address, byte, length.
    Fill(u64, u8, u64),
    /// Gives microseconds since any moment.
    Now,
    /// Waits, in microseconds.
    Delay(u64),
    /// Gives whether what began then began inside a reset window.
    InResetWindow(u64),
    /// A ring was acknowledged: producer index, consumer index, phase.
    Acked(Ring, [u32; 3]),
    /// User pages: first, count. Gives the CPU address of each, or null if it cannot.
    Pin(u64, u32),
    /// User pages are given back: first, count.
    Unpin(u64, u32),
    /// A descriptor was stored into a ring: ring, slot, descriptor.
    Desc(Ring, i64, Desc),
}

/// What the suite says to accesses.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Gave {
    /// What each gave, null where it gives nothing.
    pub gave: Vec<Value>,
    /// Delays during which no word of memory changes if nothing else is done: a subject need not
    /// wait for what the same load gives again.
    pub stays: u64,
}

/// Does accesses in order.
///
/// # Errors
/// An access that cannot be done.
pub fn carry_out(host: &dyn Host, accesses: &[Access]) -> Result<Gave, String> {
    let gave = accesses.iter().map(|access| one(host, *access));
    Ok(Gave {
        gave: gave.collect::<Result<_, _>>()?,
        stays: host.stays(),
    })
}

fn one(host: &dyn Host, access: Access) -> Result<Value, String> {
    match access {
        Access::Read32(space, offset) => return Ok(host.read32(space, offset).into()),
        Access::Load32(address) => return Ok(host.load32(address).into()),
        Access::Now => return Ok(host.now().into()),
        Access::InResetWindow(started) => return Ok(host.in_reset_window(started).into()),
        Access::Pin(page, count) => return pin(host, page, count),
        Access::Write32(space, offset, value) => host.write32(space, offset, value),
        Access::Barrier => host.barrier(),
        Access::Store32(address, value) => host.store32(address, value),
        Access::Fill(address, byte, length) => host.fill(address, byte, length),
        Access::Delay(us) => host.delay(us),
        Access::Acked(ring, cursors) => host.acked(ring, cursors),
        Access::Unpin(page, count) => host.unpin(page, count),
        Access::Desc(ring, slot, desc) => {
            if !host.rings().put(ring, slot, desc) {
                return Err(format!("{} has no slot {slot}", ring.name()));
            }
        }
    }
    Ok(Value::Null)
}

fn pin(host: &dyn Host, page: u64, count: u32) -> Result<Value, String> {
    if count > MOST_PAGES {
        return Err(format!("{count} pages to be pinned: at most {MOST_PAGES}"));
    }
    let mut frames = vec![0; count as usize];
    Ok(if host.pin(page, &mut frames) {
        json!(frames)
    } else {
        Value::Null
    })
}
