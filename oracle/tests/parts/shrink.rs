//! If everything fails, a case is made as small as one of its family can be: nothing in it is left as it was
//! by oversight.

use serde_json::{Value, json};
use udma_oracle::cases::{
    bits, cce, count, crc, descriptor, engine, iofic, meta, names, opword, packet, pair, start,
    transpose,
};
use udma_oracle::family::{Family, shrink};

use crate::inputs::ROWS;

/// Every case of a family that told a belief becomes the smallest one, but for what is another kind of case:
/// the members `kept`.
fn smallest<F: Family>(kept: &[&str], smallest: &Value) {
    let mut tried = 0;
    for row in ROWS.iter().filter(|row| row["family"] == F::NAME) {
        becomes::<F>(&row["found"], kept, smallest);
        tried += 1;
    }
    assert!(tried > 0, "{}", F::NAME);
}

fn becomes<F: Family>(case: &Value, kept: &[&str], smallest: &Value) {
    let found = F::from_json(case).expect("a case");
    let mut found = F::to_json(&shrink::<F>(&found, |_| true));
    for name in kept {
        let member = found.as_object_mut().and_then(|found| found.remove(*name));
        assert_eq!(member.as_ref(), Some(&case[*name]), "{}", F::NAME);
    }
    assert_eq!(found, *smallest, "{} from {case}", F::NAME);
}

#[test]
fn the_smallest_case_is_all_zeros() {
    let nothing = "00000000000000000000000000000000";
    smallest::<pair::Pair>(
        &[],
        &json!({"arch": "v2", "barrier": 0, "driver": "2.26.5.0", "dst": "0x0", "dst_int": false,
            "rx_ring_id": 0, "size": 0, "sow": false, "src": "0x0", "tx_ring_id": 0}),
    );
    smallest::<packet::Packet>(
        &["arch"],
        &json!({"barrier": 0, "blocks": [], "dst_int": false, "notify": false, "rx_ring_id": 0,
            "sow": false, "tx_ring_id": 0}),
    );
    smallest::<crc::Crc>(&[], &json!({"copy": null, "index": 0}));
    smallest::<descriptor::Descriptor>(&[], &json!({"desc": nothing, "view": "TX"}));
    smallest::<names::Names>(&[], &json!({"desc": nothing, "view": "TX"}));
    smallest::<bits::Bits>(&["helper"], &json!({"desc": nothing}));
    smallest::<meta::Meta>(&[], &json!({"meta_ctrl": "0x0"}));
    smallest::<count::Count>(&[], &json!({"v": 0}));
    let start = json!({"driver": "2.26.5.0", "num_queues": 16, "qid": 0, "rx_count": 0, "rx_size": 32,
        "tx_count": 0, "tx_size": 32});
    smallest::<start::Start>(&[], &start);
    let large = json!({"driver": "2.15.9.0", "num_queues": 16, "qid": 15, "rx_count": 77,
        "rx_size": 4096, "tx_count": u32::MAX, "tx_size": 8192});
    becomes::<start::Start>(&large, &[], &start);
    smallest::<engine::Init>(
        &["arch"],
        &json!({"max_desc": 0, "num_queues": 0, "reserve_read_id": 0}),
    );
    smallest::<engine::SetState>(&[], &json!({"state": 0}));
    smallest::<iofic::Causes>(&[], &json!({"level": 0, "revision": 0}));
    smallest::<opword::SplitWord>(&[], &json!({"dtype": 0, "shape": 0, "split": 0}));
    smallest::<opword::WordSet>(&[], &json!({"word": 0}));
    smallest::<cce::Combo>(&[], &json!({"count": 0, "word0": 0, "word1": 0}));
    smallest::<transpose::Window>(&["dtype"], &json!({"base": 0, "dst": 0}));
    smallest::<transpose::Transpose>(
        &[],
        &json!({"arch": 2, "dtype": 0, "length": 0, "ring_byte": 0, "shape": 0, "source": 0, "w": 0,
            "x": 0, "y": 0, "z": 0}),
    );
}
