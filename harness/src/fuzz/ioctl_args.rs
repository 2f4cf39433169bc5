//! Any calls of a virtual device with any arguments: none brings the machine down, each is answered
//! with a code of the driver, and after the last close nothing is left (DEV-20).

use udma::DriverVersion;
use udma::abi::request::REQUESTS;
use udma_oracle::model::Schedule;

use super::Judge;
use super::input::{self, input};
use crate::program::Arch;
use crate::vdev::{Board, BoardConfig, Windows};

input! {
    /// A device and calls of it.
    struct Input {
        /// Architecture.
        arch: u8,
        /// Driver version.
        version: u8,
        /// Seed of the engines' choices.
        seed: u8,
        /// The calls.
        calls: Vec<Ioctl>,
    }
}

input! {
    /// A call.
    struct Ioctl {
        /// A known request by its index, or any number.
        request: Request,
        /// Offset of the argument in the caller's memory; from 224 on beyond its end.
        at: u8,
        /// What the argument holds, from its begin on.
        words: Vec<Word>,
        /// Another process.
        other: bool,
    }
}

input! {
    /// Which request.
    enum Request {
        /// A known one.
        Known { index: u8 },
        /// Any.
        Any { number: u32 },
    }
}

input! {
    /// A member of an argument.
    enum Word {
        /// 32 bits.
        Short { value: u16 },
        /// A handle that may be there.
        Handle { number: u8 },
        /// A pointer into the caller's memory.
        Pointer { offset: u16 },
        /// 64 bits.
        Long { value: u64 },
    }
}

/// Codes that the driver's calls give; a positive one is a number of bytes that could not be copied
/// (DEV-13).
pub const CODES: [i64; 13] = [0, -1, -7, -9, -12, -13, -16, -19, -22, -25, -27, -110, -114];
/// Bytes of the caller's memory.
const MEMORY: usize = 8192;
/// Where the windows of a caller begin.
const WINDOW: u64 = 1 << 40;
/// Most calls.
const MOST: usize = 48;
/// Numbers between these are brought below the first: memory of as many bytes takes seconds to fill.
const SLOW: std::ops::Range<u64> = 1 << 22..1 << 34;

impl Word {
    fn put(&self, out: &mut Vec<u8>) {
        match *self {
            Self::Short { value } => out.extend(u32::from(value).to_le_bytes()),
            // As the driver numbers them.
            Self::Handle { number } => out.extend((u64::from(number) + 1).to_le_bytes()),
            Self::Pointer { offset } => {
                let at = WINDOW + u64::from(offset) % MEMORY as u64;
                out.extend(at.to_le_bytes());
            }
            Self::Long { value } => {
                let value = if SLOW.contains(&value) {
                    value % SLOW.start
                } else {
                    value
                };
                out.extend(value.to_le_bytes());
            }
        }
    }
}

/// Runs the target.
///
/// # Panics
/// On a code that no call gives, or something left behind.
pub fn run<J: Judge>(bytes: &[u8], _judge: &mut J) {
    let Some(input) = input::read::<Input>(bytes) else {
        return;
    };
    let versions = DriverVersion::ALL;
    let mut board = Board::new(BoardConfig {
        arch: Arch::ALL[usize::from(input.arch) % Arch::ALL.len()],
        version: versions[usize::from(input.version) % versions.len()],
        devices: 1,
        schedule: Schedule::Seeded(input.seed.into()),
        fault: None,
    });
    let file = board.open(0, 1).expect("the first process");
    let mut memory = [0; MEMORY];
    for call in input.calls.iter().take(MOST) {
        let mut argument = Vec::new();
        for word in call.words.iter().take(64) {
            word.put(&mut argument);
        }
        let at = usize::from(call.at);
        let end = MEMORY.min(at + argument.len());
        memory[at..end].copy_from_slice(&argument[..end - at]);
        let number = match call.request {
            Request::Known { index } => REQUESTS[usize::from(index) % REQUESTS.len()].number(),
            Request::Any { number } => number,
        };
        let mut windows = Windows::new();
        let base = windows.add(&mut memory);
        let at = if call.at < 224 {
            base + u64::from(call.at)
        } else {
            base + MEMORY as u64 - u64::from(call.at - 224)
        };
        let group = if call.other { 2 } else { 1 };
        let code = board.ioctl(file, group, number, at, &mut windows);
        assert!(
            code > 0 || CODES.contains(&code),
            "{number:#x} gives {code}"
        );
    }
    board.release(file);
    assert_eq!(
        (board.open_files(), board.allocations()),
        (0, 0),
        "left (DEV-20)"
    );
}

/// Runs it as the fuzzer does.
pub fn fuzz(bytes: &[u8]) {
    run(bytes, &mut super::Assert::of(&[]));
}
