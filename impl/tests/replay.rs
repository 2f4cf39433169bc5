//! Every case of the vectors of this part, and the rules that no vector shows.

mod support;

use support::{Findings, golden};

#[test]
fn compute_descriptors() {
    let mut findings = Findings::default();
    support::op::check(&mut findings);
    support::cce::check(&mut findings);
    support::transpose::check(&mut findings);
    findings.done();
}

#[test]
fn golden_queue_state() {
    let mut findings = Findings::default();
    let kinds = support::state::replay(&mut findings);
    assert_eq!(kinds.values().sum::<usize>(), golden("queue_state").len());
    assert_eq!(
        [kinds["queue"], kinds["engine"], kinds["set_state"]],
        [70, 106, 7]
    );
    findings.done();
}

#[test]
fn golden_iofic() {
    let mut findings = Findings::default();
    let calls = support::iofic::replay(&mut findings);
    assert_eq!(calls.values().sum::<usize>(), 29);
    findings.done();
}

#[test]
fn interrupt_controller() {
    let mut findings = Findings::default();
    support::iofic::check(&mut findings);
    findings.done();
}

#[test]
fn golden_engine_init() {
    let mut findings = Findings::default();
    assert_eq!(support::init::replay(&mut findings), 26);
    findings.done();
}

#[test]
fn golden_bar0_block() {
    let mut findings = Findings::default();
    let kinds = support::bar0::replay(&mut findings);
    assert_eq!(kinds.values().sum::<usize>(), 967);
    findings.done();
}

#[test]
fn every_word_of_every_engine_block() {
    let mut findings = Findings::default();
    let words = support::bar0::exhaustive(&mut findings);
    assert_eq!(words, (34 + 132 + 132) * 0x1_0000);
    findings.done();
}

#[test]
fn golden_ioctl_abi() {
    let mut findings = Findings::default();
    let kinds = support::abi::replay(&mut findings);
    assert_eq!(kinds.values().sum::<usize>(), 203);
    findings.done();
}

#[test]
fn request_numbers() {
    let mut findings = Findings::default();
    support::abi::check(&mut findings);
    findings.done();
}
