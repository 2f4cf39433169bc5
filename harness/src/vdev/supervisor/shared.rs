//! Memory that a program has mapped: the file's pages and the machine's memory, kept alike.

use std::io;
use std::os::fd::OwnedFd;

use super::sys::View;
use crate::vdev::board::Board;

/// One mapped allocation of one open file.
#[derive(Debug)]
pub struct Shared {
    /// Handle of the allocation.
    pub handle: u64,
    /// Its address as the engine sees it.
    address: u64,
    view: View,
    /// What both sides held when they were last alike.
    alike: Vec<u8>,
}

impl Shared {
    /// Puts the machine's bytes into the file.
    ///
    /// # Errors
    /// Those of the mapping.
    pub fn new(
        board: &mut Board,
        file: &OwnedFd,
        handle: u64,
        address: u64,
        length: u64,
    ) -> io::Result<Self> {
        let view = View::new(file, address, length as usize)?;
        let bytes = board.memory().slice(address, length);
        let alike = bytes
            .ok_or_else(|| io::Error::other("the allocation is gone"))?
            .to_vec();
        view.write(0, &alike);
        Ok(Self {
            handle,
            address,
            view,
            alike,
        })
    }

    /// Takes over what the program has stored.
    pub fn import(&mut self, board: &mut Board) {
        let mut seen = vec![0; self.alike.len()];
        self.view.read(&mut seen);
        if seen == self.alike {
            return;
        }
        let length = self.alike.len() as u64;
        let Some(memory) = board.memory().slice_mut(self.address, length) else {
            return;
        };
        // Byte by byte: what the engine wrote beside it stays.
        for ((seen, alike), byte) in seen.iter().zip(&mut self.alike).zip(memory) {
            if seen != alike {
                *byte = *seen;
                *alike = *seen;
            }
        }
    }

    /// Shows the program what the engine has written.
    pub fn export(&mut self, board: &mut Board) {
        let length = self.alike.len() as u64;
        let Some(memory) = board.memory().slice(self.address, length) else {
            return;
        };
        if memory == self.alike.as_slice() {
            return;
        }
        let mut at = 0;
        while at < memory.len() {
            if memory[at] == self.alike[at] {
                at += 1;
                continue;
            }
            let run = memory[at..].iter().zip(&self.alike[at..]);
            let end = at + run.take_while(|(byte, alike)| byte != alike).count();
            self.view.write(at, &memory[at..end]);
            self.alike[at..end].copy_from_slice(&memory[at..end]);
            at = end;
        }
    }
}
