//! The memory of a queue's rings, as whoever watches it sees it.

use udma_oracle::subject::RingMemory;
use udma_oracle::wire::{Desc, FILL, Ring};

#[test]
fn what_is_stored_is_a_change_once() {
    let memory = RingMemory::new([64, 64]);
    let mut known = [FILL; 64];
    let changed = |known: &mut [Desc]| {
        let mut changed = Vec::new();
        memory.changes(Ring::Rx, known, |slot, desc| changed.push((slot, *desc)));
        changed
    };
    assert_eq!(changed(&mut known), []);
    let mut stored = Vec::new();
    // First and last of the ring and of a block, and each bit of a descriptor.
    for (slot, bit) in (0..64)
        .step_by(5)
        .chain([15, 16, 63])
        .zip((0..128).step_by(9))
    {
        let mut desc = FILL;
        desc.word[bit / 32] ^= 1 << (bit % 32);
        memory.set(Ring::Rx, slot, desc);
        stored.push((slot, desc));
    }
    stored.sort_by_key(|(slot, _)| *slot);
    stored.dedup_by_key(|(slot, _)| *slot);
    for (slot, desc) in &mut stored {
        *desc = memory.slot(Ring::Rx, *slot);
    }
    memory.set(Ring::Tx, 1, Desc { word: [0; 4] });
    assert_eq!(changed(&mut known), stored);
    assert_eq!(changed(&mut known), []);
    for (slot, desc) in stored {
        assert_eq!(known[slot as usize], desc);
    }
}
