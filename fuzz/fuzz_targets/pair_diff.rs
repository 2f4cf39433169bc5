//! Any pair request: Rust and both C lines against what the rules require.
#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use udma_fuzz::holds;
use udma_oracle::cases::pair::Pair;
use udma_oracle::wire::PairIn;

#[derive(Arbitrary, Debug)]
struct Request {
    src: u64,
    dst: u64,
    size: Size,
    rx_ring_id: u32,
    tx_ring_id: u32,
    mode: Mode,
    dst_int: bool,
    sow: bool,
    arch: u8,
    driver: u8,
}

#[derive(Arbitrary, Debug)]
enum Size {
    Near(u16),
    Over(u16),
    Any(u64),
}

#[derive(Arbitrary, Debug)]
enum Mode {
    Known(u8),
    Any(i32),
}

fuzz_target!(|request: Request| {
    holds::<Pair>(&PairIn {
        src: request.src,
        dst: request.dst,
        size: match request.size {
            Size::Near(size) => size.into(),
            Size::Over(size) => 65536 + u64::from(size),
            Size::Any(size) => size,
        },
        rx_ring_id: request.rx_ring_id,
        tx_ring_id: request.tx_ring_id,
        mode: match request.mode {
            Mode::Known(mode) => i32::from(mode & 3),
            Mode::Any(mode) => mode,
        },
        dst_int: request.dst_int.into(),
        sow: request.sow.into(),
        arch: 2 + request.arch % 3,
        driver: request.driver % 5,
    });
});
