//! The searches that end in seconds; `udma states` does the whole.

use udma_oracle::state::{Belief, Cycle, Shape, property, search};

#[test]
fn the_smallest_batches_hold() {
    let found = search(&Cycle::new(Shape::SMALL, None));
    println!(
        "{} unique, {} generated, depth {}",
        found.unique, found.generated, found.depth
    );
    assert!(found.holds(), "{found:?}");
    assert_eq!(found.held.len(), 8);
    assert_eq!(
        search(&Cycle::new(Shape::SMALL, None)).unique,
        found.unique,
        "the same states every time"
    );
}

#[test]
fn each_belief_breaks_what_it_should() {
    for belief in Belief::ALL {
        for &property in belief.breaks() {
            let cycle = Cycle::new(belief.shape(), Some(belief)).seeking(property);
            let found = search(&cycle);
            let (broken, timeline) = found
                .broken
                .unwrap_or_else(|| panic!("{belief} does not break {property:?}"));
            assert_eq!(broken, property);
            println!("{} states\n{}", found.unique, timeline.text());
        }
    }
}

/// What breaks one thing is not said to break all: the search tells them apart.
#[test]
fn a_belief_leaves_alone_what_it_does_not_touch() {
    let cycle = |belief, property| Cycle::new(Shape::SMALL, Some(belief)).seeking(property);
    for (belief, property) in [
        (Belief::NoWriteBarrier, property::PHASE),
        (Belief::NoWriteBarrier, property::AVAILABLE),
        (Belief::TxFirst, property::MARKER_LAST),
        (Belief::PhaseEarly, property::MARKER_LAST),
        (Belief::Guard15, property::AVAILABLE),
    ] {
        let found = search(&cycle(belief, property));
        assert!(found.broken.is_none(), "{belief} breaks {property:?}");
    }
}
