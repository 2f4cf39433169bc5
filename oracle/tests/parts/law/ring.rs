use udma_oracle::law::ring::{LawRing, ring_size};
use udma_oracle::law::version::VERSIONS;

// golden/ring_cursor, case 34 ("guard gap and overshoot", 512 slots).
#[test]
fn recorded_overshoot() {
    let mut ring = LawRing::new(512, true, &VERSIONS[0]);
    for _ in 0..495 {
        ring.take();
    }
    assert_eq!(ring.available(), 1);
    ring.take();
    assert_eq!(ring.available(), 0);
    assert_eq!(ring.take(), 496);
    assert_eq!(ring.available(), 511);
    ring.ack(1);
    assert_eq!(ring.available(), 0);
}

#[test]
fn worked_sizes() {
    for (want, size) in [
        (0, 64),
        (48, 64),
        (49, 128),
        (4_294_967_281, 1),
        (4_294_967_280, 0),
    ] {
        assert_eq!(ring_size(want), size, "{want}");
    }
}
