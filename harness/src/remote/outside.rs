//! The suite's host as a subject here sees it: each access goes over the pipe. Those that give nothing,
//! and loads of which it is known what they give, wait for the next one that does.

use std::cell::{Cell, RefCell};
use std::io::{self, Read, Write};
use std::rc::Rc;

use serde::de::DeserializeOwned;
use serde_json::Value;
use udma_oracle::subject::RingMemory;
use udma_oracle::subject::cycle::{Host, Transfers};
use udma_oracle::wire::{Desc, FILL, Ring};

use super::access::{Access, Gave};
use super::call::Answer;
use super::frame;

/// Accesses that wait at most.
const MOST: usize = 1 << 12;

/// Both pipes.
pub struct Pipes {
    /// From the suite.
    pub input: Box<dyn Read>,
    /// To the suite.
    pub output: Box<dyn Write>,
}

impl Pipes {
    /// The next message; none at the end.
    pub fn receive(&mut self) -> io::Result<Option<Vec<u8>>> {
        frame::receive(&mut self.input)
    }

    /// Sends a message.
    pub fn send(&mut self, message: &[u8]) -> io::Result<()> {
        frame::send(&mut self.output, message)
    }

    /// What accesses gave.
    fn ask(&mut self, accesses: Vec<Access>) -> io::Result<Gave> {
        self.send(&serde_json::to_vec(&Answer::Host(accesses))?)?;
        let answer = self.receive()?.ok_or(io::ErrorKind::UnexpectedEof)?;
        Ok(serde_json::from_slice(&answer)?)
    }
}

/// The suite's host, and descriptor memory of a queue.
pub struct Outside {
    pipes: Rc<RefCell<Pipes>>,
    rings: RingMemory,
    /// Descriptors as the suite was told of them.
    told: RefCell<[Vec<Desc>; 2]>,
    waiting: RefCell<Vec<Access>>,
    known: Cell<Option<Known>>,
}

/// A word that was loaded, and the delays during which it stays so.
#[derive(Clone, Copy)]
struct Known {
    address: u64,
    value: u32,
    stays: u64,
}

self_cell::self_cell!(
    /// A subject's queue, and what it reaches the outside through.
    pub struct Open {
        owner: Outside,

        #[not_covariant]
        dependent: Opened,
    }
);

/// A queue open for transfers.
pub type Opened<'a> = Box<dyn Transfers + 'a>;

impl Outside {
    /// With rings of these sizes.
    pub fn new(pipes: &Rc<RefCell<Pipes>>, size: [u32; 2]) -> Self {
        Self {
            pipes: Rc::clone(pipes),
            rings: RingMemory::new(size),
            told: RefCell::new(size.map(|size| vec![FILL; size as usize])),
            waiting: RefCell::default(),
            known: Cell::default(),
        }
    }

    /// Tells the suite of whatever waits, and of what was stored last.
    pub fn finish(&self) {
        self.stored();
        let mut waiting = self.waiting.borrow_mut();
        if !waiting.is_empty() {
            self.tell(&mut waiting);
        }
    }

    /// Tells the suite of what was stored outside of the rings, too, before they are gone.
    pub fn close(&self) {
        let size = self.told.borrow().each_ref().map(|told| told.len() as i64);
        let fences = self.rings.written().into_iter();
        let fences = fences.filter(|(ring, slot, _)| !(0..size[*ring as usize]).contains(slot));
        let fences = fences.map(|(ring, slot, desc)| Access::Desc(ring, slot, desc));
        self.waiting.borrow_mut().extend(fences);
        self.finish();
    }

    fn stored(&self) {
        let mut told = self.told.borrow_mut();
        let mut waiting = self.waiting.borrow_mut();
        for ring in Ring::BOTH {
            self.rings
                .changes(ring, &mut told[ring as usize], |slot, desc| {
                    waiting.push(Access::Desc(ring, slot.into(), *desc));
                });
        }
    }

    /// What the last access gave, and how long words stay.
    fn tell(&self, waiting: &mut Vec<Access>) -> (Value, u64) {
        let gave = self.pipes.borrow_mut().ask(std::mem::take(waiting));
        match gave.map(|mut gave| (gave.gave.pop(), gave.stays)) {
            Ok((Some(last), stays)) => (last, stays),
            // The suite is gone or has ended the call, and with it this process' work.
            _ => std::process::exit(0),
        }
    }

    fn put(&self, access: Access) {
        self.known.set(None);
        self.stored();
        self.wait_with(access);
    }

    fn wait_with(&self, access: Access) {
        let mut waiting = self.waiting.borrow_mut();
        waiting.push(access);
        if waiting.len() >= MOST {
            self.tell(&mut waiting);
        }
    }

    fn ask<T: DeserializeOwned>(&self, access: Access) -> T {
        self.ask_how_long(access).0
    }

    fn ask_how_long<T: DeserializeOwned>(&self, access: Access) -> (T, u64) {
        self.stored();
        let mut waiting = self.waiting.borrow_mut();
        waiting.push(access);
        let (gave, stays) = self.tell(&mut waiting);
        let gave = serde_json::from_value(gave).unwrap_or_else(|_| std::process::exit(0));
        (gave, stays)
    }
}

impl Host for Outside {
    fn read32(&self, space: u32, offset: u64) -> u32 {
        self.ask(Access::Read32(space, offset))
    }

    fn write32(&self, space: u32, offset: u64, value: u32) {
        self.put(Access::Write32(space, offset, value));
    }

    fn barrier(&self) {
        self.put(Access::Barrier);
    }

    fn load32(&self, address: u64) -> u32 {
        if let Some(known) = self.known.get()
            && known.address == address
        {
            // Nothing happens but in delays, and rings are not looked at in them.
            self.wait_with(Access::Load32(address));
            return known.value;
        }
        let (value, stays) = self.ask_how_long(Access::Load32(address));
        self.known.set(Some(Known {
            address,
            value,
            stays,
        }));
        value
    }

    fn store32(&self, address: u64, value: u32) {
        self.put(Access::Store32(address, value));
    }

    fn fill(&self, address: u64, byte: u8, length: u64) {
        self.put(Access::Fill(address, byte, length));
    }

    fn now(&self) -> u64 {
        self.ask(Access::Now)
    }

    fn delay(&self, us: u64) {
        let known = self.known.get().and_then(|known| {
            Some(Known {
                stays: known.stays.checked_sub(1)?,
                ..known
            })
        });
        self.known.set(known);
        if known.is_none() {
            self.stored();
        }
        self.wait_with(Access::Delay(us));
    }

    fn in_reset_window(&self, started: u64) -> bool {
        self.ask(Access::InResetWindow(started))
    }

    fn acked(&self, ring: Ring, cursors: [u32; 3]) {
        self.put(Access::Acked(ring, cursors));
    }

    fn pin(&self, page: u64, frames: &mut [u64]) -> bool {
        let pinned: Option<Vec<u64>> = self.ask(Access::Pin(page, frames.len() as u32));
        let pinned = pinned.filter(|pinned| pinned.len() == frames.len());
        if let Some(pinned) = &pinned {
            frames.copy_from_slice(pinned);
        }
        pinned.is_some()
    }

    fn unpin(&self, page: u64, count: u32) {
        self.put(Access::Unpin(page, count));
    }

    fn rings(&self) -> &RingMemory {
        &self.rings
    }
}
