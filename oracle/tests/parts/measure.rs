//! How rarely a belief is met by chance is measured on every call that stands for itself.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::json;
use udma_oracle::catalogue::Catalogue;
use udma_oracle::generate::uniform::{Measure, Share};
use udma_oracle::line::Line;
use udma_oracle::subject::Subject;
use udma_oracle::subjects::{Rust, built_in};

static PLANTED: AtomicBool = AtomicBool::new(false);

/// Ring sizes of 2^31 and more get a descriptor too many while it is planted.
struct Planted(Rust);

impl Subject for Planted {
    fn name(&self) -> &'static str {
        "planted"
    }

    fn line(&self) -> Line {
        self.0.line()
    }

    fn ring_size(&self, want: &[u32], out: &mut [u32]) -> Option<()> {
        self.0.ring_size(want, out)?;
        for (want, out) in want.iter().zip(out) {
            *out += u32::from(PLANTED.load(Ordering::Relaxed) && *want >= 1 << 31);
        }
        Some(())
    }
}

fn measured(subject: &dyn Subject) -> Vec<Share> {
    let catalogue = Catalogue::load();
    let rules = catalogue
        .rules
        .iter()
        .map(|rule| rule.id.as_str())
        .collect();
    let known = json!({ "v": 0xffff_0000u32 });
    let mut plant = |planted| PLANTED.store(planted, Ordering::Relaxed);
    Measure::new(subject, subject.line(), rules, 1000, &known, &mut plant).all()
}

#[test]
fn every_call_that_stands_for_itself_is_measured() {
    let names: BTreeSet<&str> = ["rust-kernel", "rust-hal"]
        .iter()
        .flat_map(|name| measured(built_in(name).expect("built in").as_ref()))
        .map(|share| share.family)
        .collect();
    let expected = [
        "pair",
        "packet",
        "crc",
        "descriptor",
        "bits",
        "meta",
        "desc_count",
        "ioctl_abi",
        "word_split",
        "word_transpose",
        "word_replication",
        "word_add",
        "word_min_max",
        "word_fma",
        "word_cce_ext",
        "word_gradient",
        "op_decode",
        "desc_decode",
        "desc_fma",
        "desc_min_max",
        "desc_seed_init",
        "desc_replication",
        "desc_gradient",
        "dtype",
        "remap",
        "combo",
        "transpose",
        "transpose_window",
        "transpose_flush",
        "bar0_block",
        "iofic",
        "iofic_causes",
        "engine_init",
        "engine_state",
        "set_state",
        "queue_state",
        "queue_init",
        "copy_start",
    ];
    assert_eq!(names, BTreeSet::from(expected));
}

#[test]
fn the_share_that_is_spoilt_is_counted() {
    let shares = measured(&Planted(Rust::new(Line::Kernel)));
    // All that it offers.
    let [share] = &shares[..] else {
        panic!("{} families", shares.len());
    };
    assert_eq!(
        (share.family, share.inputs, share.shown),
        ("desc_count", 1000, true)
    );
    // Half of the inputs, within five standard deviations.
    assert!(share.wrong.abs_diff(500) < 80, "{}", share.wrong);
}
