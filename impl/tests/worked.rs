//! The worked vectors of `corpora/worked/`, run on this crate. op-class words have a suite of their
//! own.

mod common;

use common::{
    arch, blocks, cases, desc, flag, number, outcome, packet_request, parse, side, small,
};
use serde_json::Value;
use udma::io::Side;
use udma::packet::{build_crc_copy, build_packet, cme_meta};
use udma::vring::Pring;
use udma::vring::script::Machine;
use udma::{Desc, PairRequest};

#[test]
fn packets() {
    for case in cases("packets") {
        let (id, given, expected) = (&case["id"], &case["in"], &case["out"]);
        match given["op"].as_str().unwrap() {
            "packet" => packet(id, given, expected),
            "cme_meta" => {
                let word0 = cme_meta(small(&given["index"])).word0();
                assert_eq!(u64::from(word0), number(&expected["word0"]), "{id}");
            }
            "crc_copy" => {
                let request = PairRequest {
                    src: number(&given["src"]),
                    dst: number(&given["dst"]),
                    size: number(&given["size"]),
                    ..PairRequest::default()
                };
                let (mut tx, mut rx) = ([Desc::default(); 2], Desc::default());
                let index = small(&given["index"]);
                build_crc_copy(arch(&given["arch"]), &request, index, &mut tx, &mut rx).unwrap();
                assert_eq!(u64::from(tx[0].word0()), number(&expected["word0"]), "{id}");
            }
            other => panic!("operation {other}"),
        }
    }
}

fn packet(id: &Value, given: &Value, expected: &Value) {
    let blocks = blocks(&given["blocks"]);
    let fresh = vec![Desc::from_words([0xa5a5_a5a5; 4]); blocks.len()];
    let (mut tx, mut rx) = (fresh.clone(), fresh.clone());
    let request = packet_request(given);
    let result = build_packet(arch(&given["arch"]), &request, &blocks, &mut tx, &mut rx);
    assert_eq!(
        result.is_err(),
        flag(&expected["refused"]),
        "{id}: {result:?}"
    );
    if result.is_err() {
        assert_eq!((&tx, &rx), (&fresh, &fresh), "{id}: nothing is written");
        return;
    }
    for (name, slots) in [("tx", &tx), ("rx", &rx)] {
        if let Some(all) = expected.get(name) {
            let all: Vec<Desc> = all.as_array().unwrap().iter().map(desc).collect();
            assert_eq!(*slots, all, "{id} {name}");
        }
        if let Some(some) = expected.get(format!("{name}_at")) {
            for (index, value) in some.as_object().unwrap() {
                assert_eq!(
                    slots[index.parse::<usize>().unwrap()],
                    desc(value),
                    "{id} {name}"
                );
            }
        }
    }
}

#[test]
fn vrings() {
    for case in cases("vring") {
        let id = &case["id"];
        let mut machine = Machine::new(arch(&case["in"]["arch"]));
        let script = case["in"]["script"].as_array().unwrap();
        let steps = case["out"]["steps"].as_array().unwrap();
        assert_eq!(script.len(), steps.len(), "{id}");
        for (op, step) in script.iter().zip(steps) {
            assert_eq!(machine.step(&parse(op)), outcome(step), "{id} {op}");
        }
        state(id, &machine, &case["out"]);
    }
}

fn state(id: &Value, machine: &Machine, expected: &Value) {
    for (name, value) in expected.as_object().unwrap() {
        match name.as_str() {
            "steps" => {}
            "tx" | "rx" => {
                let half = machine.vring.half(side(&name.as_str().into()));
                assert_eq!(half.used(), small(&value["used"]), "{id} {name}");
                for (index, value) in value["at"].as_object().unwrap() {
                    let found = half.get(index.parse().unwrap()).copied();
                    assert_eq!(found, Some(desc(value)), "{id} {name} {index}");
                }
            }
            "total_tx" => assert_eq!(machine.vring.total(Side::Tx), number(value), "{id}"),
            "total_rx" => assert_eq!(machine.vring.total(Side::Rx), number(value), "{id}"),
            "tx_pring" | "rx_pring" => {
                let pring: &Pring<Vec<Desc>> = machine.prings[side(&name[..2].into()) as usize]
                    .as_ref()
                    .unwrap();
                assert_eq!(pring.used(), small(&value["used"]), "{id} {name}");
                assert_eq!(pring.allocated(), small(&value["allocated"]), "{id} {name}");
                for (index, value) in value["at"].as_object().unwrap() {
                    let found = pring.slots()[index.parse::<usize>().unwrap()];
                    assert_eq!(found, desc(value), "{id} {name} {index}");
                }
                if let Some(before) = value.get("before_offset") {
                    let first = (pring.offset() / 16) as usize;
                    assert!(
                        pring.memory()[..first]
                            .iter()
                            .all(|slot| *slot == desc(before))
                    );
                }
            }
            "cache" => {
                let cache = machine.cache.as_ref().unwrap();
                let found = serde_json::json!({
                    "hits": cache.hits(), "misses": cache.misses(),
                    "evictions": cache.evictions(), "entries": cache.len(), "live": cache.live(),
                });
                assert_eq!(found, *value, "{id}");
            }
            other => panic!("{other} of {id}"),
        }
    }
}

#[test]
fn there_are_enough_and_each_has_its_arithmetic() {
    let mut count = 0;
    for suite in ["packets", "opclass", "vring"] {
        for case in cases(suite) {
            assert!(
                !case["rules"].as_array().unwrap().is_empty(),
                "{}",
                case["id"]
            );
            assert!(
                case["derivation"].as_str().unwrap().len() > 8,
                "{}",
                case["id"]
            );
            count += 1;
        }
    }
    assert!(count >= 60, "{count}");
}
