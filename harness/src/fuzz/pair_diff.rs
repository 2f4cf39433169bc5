//! Any pair request: Rust and both C lines against what the rules require.

use udma_oracle::cases::pair::Pair;
use udma_oracle::line::Line;
use udma_oracle::subject::Subject;
use udma_oracle::wire::{PairIn, PairOut};
use udma_reference::Api;

use super::input::{self, input};
use super::{Judge, assert_only};

input! {
    /// A request.
    struct Request {
        /// Source address.
        src: u64,
        /// Destination address.
        dst: u64,
        /// Bytes.
        size: Size,
        /// Ring id of RX.
        rx_ring_id: u32,
        /// Ring id of TX.
        tx_ring_id: u32,
        /// Ordering mode.
        mode: Mode,
        /// Interrupt on the destination's side.
        dst_int: bool,
        /// Strong-ordered write.
        sow: bool,
        /// Architecture.
        arch: u8,
        /// Driver version.
        driver: u8,
    }
}

input! {
    /// Bytes, most often few.
    enum Size {
        /// Below 65536.
        Near { size: u16 },
        /// From 65536 on.
        Over { size: u16 },
        /// Any number.
        Any { size: u64 },
    }
}

input! {
    /// An ordering mode, most often a known one.
    enum Mode {
        /// 0 to 3.
        Known { mode: u8 },
        /// Any number.
        Any { mode: i32 },
    }
}

impl Request {
    /// The case.
    pub fn case(&self) -> PairIn {
        PairIn {
            src: self.src,
            dst: self.dst,
            size: match self.size {
                Size::Near { size } => size.into(),
                Size::Over { size } => 65536 + u64::from(size),
                Size::Any { size } => size,
            },
            rx_ring_id: self.rx_ring_id,
            tx_ring_id: self.tx_ring_id,
            mode: match self.mode {
                Mode::Known { mode } => i32::from(mode & 3),
                Mode::Any { mode } => mode,
            },
            dst_int: self.dst_int.into(),
            sow: self.sow.into(),
            arch: 2 + self.arch % 3,
            driver: self.driver % 5,
        }
    }

    /// The request of a case.
    pub fn of(case: &PairIn) -> Self {
        Self {
            src: case.src,
            dst: case.dst,
            size: match case.size {
                size @ 0..=0xffff => Size::Near { size: size as u16 },
                size @ 0x1_0000..=0x1_ffff => Size::Over { size: size as u16 },
                size => Size::Any { size },
            },
            rx_ring_id: case.rx_ring_id,
            tx_ring_id: case.tx_ring_id,
            mode: match case.mode {
                mode @ 0..=3 => Mode::Known { mode: mode as u8 },
                mode => Mode::Any { mode },
            },
            dst_int: case.dst_int != 0,
            sow: case.sow != 0,
            arch: case.arch - 2,
            driver: case.driver,
        }
    }
}

/// Runs the target.
pub fn run<J: Judge>(bytes: &[u8], judge: &mut J) {
    if let Some(request) = input::read::<Request>(bytes) {
        judge.hold::<Pair>(&request.case());
    }
}

/// A subject of which nothing but pairs can be asked.
struct Pairs<S>(S);

impl<S: Subject> Subject for Pairs<S> {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn line(&self) -> Line {
        self.0.line()
    }

    fn build_pairs(&self, cases: &[PairIn], out: &mut [PairOut]) -> Option<()> {
        self.0.build_pairs(cases, out)
    }
}

const fn pairs(api: &Api) -> Api {
    Api {
        build_pairs: api.build_pairs,
        ..Api::NONE
    }
}

/// Runs it as the fuzzer does. The judge's part is compiled in the fuzzer's crate, which has no
/// counters (`fuzz/instrument`): there would be more of them than the subjects have.
#[inline]
pub fn fuzz(bytes: &[u8]) {
    run(bytes, &mut assert_only!(Pairs, pairs));
}
