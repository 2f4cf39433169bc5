//! Malformed arguments never bring the machine down, and are answered as the driver answers.

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use udma::abi::request::{REQUESTS, Request};
use udma_harness::program::Arch;
use udma_harness::vdev::{Board, BoardConfig, Windows};
use udma_oracle::model::Schedule;

/// Calls in the plain run; `UDMA_CALLS` asks for more.
const CALLS: u64 = 300_000;
/// Codes that the driver's calls give.
const CODES: [i64; 14] = [
    0, -1, -7, -9, -12, -13, -16, -19, -22, -25, -27, -110, -114, 22,
];
/// Bytes of the caller's memory.
const MEMORY: usize = 4096;

/// A call: which request, where its argument is, and what the caller's memory holds.
#[derive(Clone, Debug)]
struct Call {
    request: u32,
    /// Offset of the argument in the window; beyond its end for a bad pointer.
    at: u64,
    words: Vec<(usize, u64)>,
    group: u32,
}

fn number() -> impl Strategy<Value = u64> {
    prop_oneof![
        4 => 0..200u64,
        2 => (0..64u32).prop_map(|bit| 1 << bit),
        2 => (0..64u32).prop_map(|bit| (1u64 << bit).wrapping_sub(1)),
        1 => (1..400u64).prop_map(|handle| handle << 8 | 0x5a),
        1 => (0..MEMORY as u64).prop_map(|offset| (1 << 40) + offset),
        1 => Just(0x38_0000_0000),
        1 => any::<u64>(),
    ]
}

fn board() -> Board {
    Board::new(BoardConfig {
        arch: Arch::V3,
        version: udma::DriverVersion::V2_26_5,
        devices: 2,
        schedule: Schedule::Seeded(3),
        fault: None,
    })
}

/// Requests that the machine knows: the others are answered before their argument is looked at.
fn served() -> Vec<u32> {
    let mut board = board();
    let file = board.open(0, 1).unwrap();
    let mut knows = |number: &u32| board.ioctl(file, 1, *number, 0, &mut Windows::new()) != -25;
    let numbers = REQUESTS.iter().map(Request::number);
    let served: Vec<u32> = numbers.filter(&mut knows).collect();
    assert!(served.len() > 30, "{} requests are served", served.len());
    served
}

fn call() -> impl Strategy<Value = Call> {
    let known = (0..REQUESTS.len()).prop_map(|index| REQUESTS[index].number());
    let served = prop::sample::select(served());
    let request = prop_oneof![20 => served, 2 => known, 1 => any::<u32>()];
    let at =
        prop_oneof![12 => 0..64u64, 1 => (MEMORY as u64 - 40)..MEMORY as u64, 1 => any::<u64>()];
    let words = prop::collection::vec(((0..40usize).prop_map(|word| word * 4), number()), 0..12);
    let group = prop_oneof![6 => Just(1u32), 1 => 2..4u32];
    (request, at, words, group).prop_map(|(request, at, words, group)| Call {
        request,
        at,
        words,
        group,
    })
}

#[test]
fn any_argument_is_answered() {
    let calls = std::env::var("UDMA_CALLS")
        .ok()
        .and_then(|text| text.parse().ok());
    let calls = calls.unwrap_or(CALLS);
    let mut runner = TestRunner::new_with_rng(
        Config::default(),
        TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]),
    );
    let strategy = call();
    let mut board = board();
    let mut file = board.open(0, 1).unwrap();
    let mut counts: BTreeMap<i64, u64> = BTreeMap::new();
    for index in 0..calls {
        let call = strategy.new_tree(&mut runner).unwrap().current();
        let mut memory = vec![0; MEMORY];
        let start = (call.at as usize).min(MEMORY - 256);
        for (offset, value) in &call.words {
            memory[start + offset..start + offset + 8].copy_from_slice(&value.to_le_bytes());
        }
        let mut windows = Windows::new();
        let base = windows.add(&mut memory);
        let code = board.ioctl(
            file,
            call.group,
            call.request,
            base.wrapping_add(call.at),
            &mut windows,
        );
        // DEV-13: a positive code is a number of bytes that were asked for.
        let known = CODES.contains(&code) || code > 0;
        assert!(known, "call {index}: {call:x?} gives {code}");
        *counts
            .entry(code.signum() * code.abs().min(200))
            .or_default() += 1;
        if index % 50_000 == 49_999 {
            board.release(file);
            assert_eq!((board.open_files(), board.allocations()), (0, 0));
            file = board.open(0, 1).unwrap();
        }
        board.take_log();
    }
    println!("codes: {counts:?}");
    for code in [0, -1, -13, -22, -25] {
        assert!(counts.contains_key(&code), "no call gave {code}");
    }
    assert!(Request::of(0x8008_4e23).is_some());
}
