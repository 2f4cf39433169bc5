//! What carries calls to a device.

use std::time::Duration;

use udma::abi::request::Request;

use crate::argument::Argument;
use crate::vdev::{Board, BoardConfig, FileId, User, Windows};

/// How often and how long a client looks at a marker.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// Looks.
    pub looks: u32,
    /// Time between them.
    pub pause: Duration,
}

/// A device that can be opened, asked and closed.
pub trait Port {
    /// Opens the device.
    ///
    /// # Errors
    /// Why not.
    fn open(&mut self) -> Result<(), String>;

    /// Closes it.
    fn close(&mut self);

    /// Makes one call. `data` are buffers whose addresses belong into the argument, at the offsets
    /// that stand beside them. Gives 0, a negative errno, or a positive number as the call gave it.
    fn call(
        &mut self,
        request: &Request,
        argument: &mut Argument,
        data: &mut [(usize, &mut [u8])],
    ) -> i64 {
        self.call_number(request.number(), argument, data)
    }

    /// The same, by the request's number.
    fn call_number(
        &mut self,
        number: u32,
        argument: &mut Argument,
        data: &mut [(usize, &mut [u8])],
    ) -> i64;

    /// How markers are waited for.
    fn patience(&self) -> Patience;

    /// What the device found about the program, rule and text; nothing where it cannot tell.
    fn findings(&self) -> Vec<(String, String)> {
        Vec::new()
    }
}

/// Thread group of the one process that in-process ports stand for.
const GROUP: u32 = 1;

/// A virtual device in the same process: the weakest engine, without system calls.
#[derive(Debug)]
pub struct ModelPort {
    board: Board,
    file: Option<FileId>,
}

impl ModelPort {
    /// A machine of its own.
    pub fn new(config: BoardConfig) -> Self {
        Self {
            board: Board::new(config),
            file: None,
        }
    }

    /// The machine.
    pub fn board(&self) -> &Board {
        &self.board
    }
}

impl Port for ModelPort {
    fn open(&mut self) -> Result<(), String> {
        let file = self.board.open(0, GROUP);
        self.file = Some(file.map_err(|code| format!("open gives {code}"))?);
        Ok(())
    }

    fn close(&mut self) {
        if let Some(file) = self.file.take() {
            self.board.release(file);
        }
    }

    fn call_number(
        &mut self,
        number: u32,
        argument: &mut Argument,
        data: &mut [(usize, &mut [u8])],
    ) -> i64 {
        let Some(file) = self.file else {
            return -9;
        };
        let mut windows = Windows::new();
        for (offset, bytes) in data {
            let address = windows.add(bytes);
            argument.set_long(*offset, address);
        }
        let at = windows.add(argument.bytes_mut());
        let user: &mut dyn User = &mut windows;
        self.board.ioctl(file, GROUP, number, at, user)
    }

    fn patience(&self) -> Patience {
        Patience {
            looks: 400,
            pause: Duration::ZERO,
        }
    }

    fn findings(&self) -> Vec<(String, String)> {
        self.board.findings()
    }
}
