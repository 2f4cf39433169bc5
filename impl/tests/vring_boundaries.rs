//! A vring at the edges of its pages, at its cap, and without memory.

use udma::io::Side;
use udma::packet::{Block, PacketRequest};
use udma::vring::{CAP, Dump, Error, PageGate, Pring, TemplateCache, Transfer, Vring};
use udma::{Arch, Desc};

const SIDES: [Side; 2] = [Side::Tx, Side::Rx];
const CHUNK: u64 = 65536;

fn pairs(count: u64) -> Transfer {
    Transfer {
        src: 0x1_0000,
        dst: 1 << 44,
        size: count * CHUNK,
        ordered: false,
    }
}

fn vring_of(count: u64) -> Vring {
    let mut vring = Vring::new("v");
    vring.add_transfer(Arch::Cayman, &pairs(count)).unwrap();
    vring
}

fn used(vring: &Vring) -> [u32; 2] {
    SIDES.map(|side| vring.half(side).used())
}

#[test]
fn page_edges_in_one_transfer_and_in_many() {
    for count in [65535u64, 65536, 65537, 131_072, 131_073] {
        let whole = vring_of(count);
        let mut pieces = Vring::new("v");
        for index in 0..count {
            let piece = Transfer {
                src: 0x1_0000 + index * CHUNK,
                dst: (1 << 44) + index * CHUNK,
                size: CHUNK,
                ordered: false,
            };
            pieces.add_transfer(Arch::Cayman, &piece).unwrap();
        }
        assert_eq!(used(&whole), [count as u32; 2]);
        assert_eq!(whole.diff(&pieces).count(), 0, "{count}");
        for side in SIDES {
            assert_eq!(whole.total(side), count * CHUNK);
            assert_eq!(pieces.total(side), count * CHUNK);
            let pages = count.div_ceil(65536) as usize;
            assert_eq!(whole.half(side).page_count(), pages);
        }
        // VRNG-3, by hand: pair i reads 0x10000 + i * 0x10000.
        for index in [65534u32, 65535, 65536] {
            let found = whole.half(Side::Tx).get(index).map(Desc::pointer);
            let there = u64::from(index) < count;
            assert_eq!(found, there.then_some((u64::from(index) + 1) << 16));
        }
    }
}

#[test]
fn a_packet_and_its_packing_over_a_page_edge() {
    let mut vring = vring_of(65534);
    let blocks: Vec<Block> = (0..4)
        .map(|index| Block {
            src: index * 16,
            dst: 0x1000 + index * 16,
            size: 16,
        })
        .collect();
    vring
        .add_packet(Arch::Cayman, &PacketRequest::default(), &blocks)
        .unwrap();
    let word0s = |vring: &Vring| -> Vec<u32> {
        (65533..65538)
            .map(|index| vring.half(Side::Tx).get(index).unwrap().word0())
            .collect()
    };
    let built = [
        0x0d00_0000,
        0x8500_0010,
        0x8100_0010,
        0x8100_0010,
        0x0900_0010,
    ];
    assert_eq!(word0s(&vring), built);
    // Opened again descriptor by descriptor, then joined again: the edge is no border.
    assert_eq!(vring.pack(Arch::Cayman, 65534..65538, 1).unwrap().delta, 3);
    assert_eq!(word0s(&vring)[1..], [0x0d00_0010; 4]);
    assert_eq!(
        vring.pack(Arch::Cayman, 65534..65538, 64).unwrap().delta,
        -3
    );
    assert_eq!(word0s(&vring), built);
    // EDIT-1 finds FIRST on the page before.
    assert_eq!(vring.dmb_on_last_packet(Arch::Sunda), Ok(true));
    assert_eq!(
        vring.half(Side::Tx).get(65534).unwrap().word1(),
        0x0508_0003
    );
}

#[test]
fn the_cap_and_one_on_each_side_of_it() {
    let mut vring = vring_of(16_777_199);
    assert_eq!(used(&vring), [16_777_199; 2]);
    assert_eq!(vring.add_transfer(Arch::Cayman, &pairs(1)), Ok(()));
    assert_eq!(used(&vring), [CAP; 2]);
    assert_eq!(vring.total(Side::Tx), 1_099_510_579_200); // 2^40 - 2^20, past 2^32 (XFER-3)
    for _ in 0..2 {
        assert_eq!(
            vring.add_transfer(Arch::Cayman, &pairs(1)),
            Err(Error::QueueFull)
        );
        assert_eq!(
            vring.add_raw(Side::Rx, Desc::default()),
            Err(Error::QueueFull)
        );
    }
    assert_eq!(vring.add_transfer(Arch::Cayman, &pairs(0)), Ok(())); // XFER-6
    assert_eq!(used(&vring), [CAP; 2]);

    // All of it in order, from 256 pages, the last of them not full.
    let mut pring = Pring::allocate(Side::Tx, CAP).unwrap();
    vring.dump(Side::Tx, &mut pring, &Dump::default()).unwrap();
    // The last pair is a transfer of its own.
    let pointers = (1..u64::from(CAP)).chain([1]).map(|index| index << 16);
    assert!(pring.slots().iter().map(Desc::pointer).eq(pointers));

    // DUMP-2: 255 full pages and 65520 more, one run each.
    let mut runs = Vec::new();
    let all = Dump::default();
    vring
        .dump_with(Side::Tx, &mut pring, &all, |to, from| {
            assert_eq!(to.len(), from.len());
            runs.push(from.len());
        })
        .unwrap();
    assert_eq!(runs[..255], [65536; 255]);
    assert_eq!(runs[255..], [65520]);

    let packed = vring.pack(Arch::Sunda, 0..CAP, u64::MAX).unwrap();
    // 16,777,200 / 128 = 131,071.875 packets, so 131,072.
    assert_eq!(packed.delta, 131_072 - 16_777_200);
}

#[test]
fn what_fits_before_the_cap_stays() {
    // RX is one ahead, so TX gets one more than RX has room for (XFER-4).
    let mut vring = Vring::new("v");
    vring.add_raw(Side::Rx, Desc::default()).unwrap();
    let result = vring.add_transfer(Arch::Cayman, &pairs(16_777_201));
    assert_eq!(result, Err(Error::QueueFull));
    assert_eq!(used(&vring), [CAP, CAP]);
    assert_eq!(SIDES.map(|side| vring.total(side)), [16_777_199 * CHUNK; 2]);
    let ahead = vring.half(Side::Tx).get(CAP - 1).unwrap();
    assert_eq!(
        *ahead,
        Desc::new(0x0d00_0000, 0x0108_0003, 16_777_200 << 16)
    );
    // A packet takes room in both halves or in none.
    let block = Block {
        src: 0,
        dst: 0,
        size: 1,
    };
    vring.free();
    vring
        .add_transfer(Arch::Cayman, &pairs(16_777_199))
        .unwrap();
    let packet = vring.add_packet(Arch::Cayman, &PacketRequest::default(), &[block; 2]);
    assert_eq!(packet, Err(Error::QueueFull));
    assert_eq!(used(&vring), [16_777_199; 2]);
}

/// The descriptor that TX gets ahead of RX is the first of a page (XFER-4).
#[test]
fn what_tx_gets_ahead_may_open_a_page() {
    let mut vring = Vring::new("v");
    for _ in 0..65520 {
        vring.add_raw(Side::Rx, Desc::default()).unwrap();
    }
    // RX has room for 255 pages of them.
    let result = vring.add_transfer(Arch::Cayman, &pairs(16_711_681));
    assert_eq!(result, Err(Error::QueueFull));
    assert_eq!(used(&vring), [16_711_681, CAP]);
    assert_eq!(vring.half(Side::Tx).page_count(), 256);
    let ahead = vring.half(Side::Tx).get(16_711_680).unwrap();
    assert_eq!(ahead.pointer(), 16_711_681 << 16);
}

#[test]
fn a_refused_page_leaves_the_vring_as_it_was() {
    let before = vring_of(65530);
    for budget in 0..7 {
        // Three more pages in each half are needed.
        let mut vring = before.deep_copy().unwrap();
        vring.set_page_gate(PageGate::budget(budget));
        let result = vring.add_transfer(Arch::Cayman, &pairs(3 * 65536));
        assert_eq!(result.is_err(), budget < 6, "{budget}");
        if let Err(error) = result {
            assert_eq!(error, Error::NoMemory);
            assert_eq!(vring.diff(&before).count(), 0);
            assert_eq!(SIDES.map(|side| vring.half(side).page_count()), [1, 1]);
            assert_eq!(SIDES.map(|side| vring.total(side)), [65530 * CHUNK; 2]);
        }
        vring.set_page_gate(PageGate::open());
        vring.add_transfer(Arch::Cayman, &pairs(1)).unwrap();
    }
    let block = Block {
        src: 0,
        dst: 0,
        size: 1,
    };
    for budget in 0..2 {
        let mut vring = before.deep_copy().unwrap();
        vring.set_page_gate(PageGate::budget(budget));
        let packet = vring.add_packet(Arch::Cayman, &PacketRequest::default(), &[block; 7]);
        assert_eq!(packet, Err(Error::NoMemory));
        assert_eq!(vring.diff(&before).count(), 0);
    }
    let mut cache = TemplateCache::new(before, 1);
    assert!(cache.acquire(&[]).is_ok());
    let mut template = vring_of(1);
    template.set_page_gate(PageGate::budget(1));
    let mut cache = TemplateCache::new(template, 1);
    assert_eq!(cache.acquire(&[]).unwrap_err(), Error::NoMemory);
    assert!(cache.is_empty());
}

/// The packer by the letter of PACK-1 and PACK-2, over a plain list: groups first, bits then.
fn pack_by_the_letter(descs: &mut [Desc], tx_max: usize, max_bytes: u64) {
    const FIRST: u32 = 1 << 26;
    const LAST: u32 = 1 << 27;
    const CONCAT: u32 = 1 << 31;
    let joinable = |desc: &Desc| (desc.word1() >> 23) & 7 == 2 && desc.word0() >> 23 & 1 == 0;
    let bytes = |desc: &Desc| match desc.word0() & 0xffff {
        0 => 65536,
        length => u64::from(length),
    };
    let mut start = 0;
    while start < descs.len() {
        if !joinable(&descs[start]) {
            start += 1;
            continue;
        }
        let mut end = start + 1;
        let mut total = bytes(&descs[start]);
        while end < descs.len()
            && joinable(&descs[end])
            && end - start < tx_max
            && total + bytes(&descs[end]) <= max_bytes
        {
            total += bytes(&descs[end]);
            end += 1;
        }
        for (place, desc) in descs[start..end].iter_mut().enumerate() {
            let mut word0 = desc.word0() & !(FIRST | LAST | CONCAT);
            word0 |= if place == 0 { FIRST } else { 0 };
            word0 |= if start + place == end - 1 {
                LAST
            } else {
                CONCAT
            };
            *desc = Desc::new(word0, desc.word1(), desc.pointer());
        }
        start = end;
    }
}

#[test]
fn packing_by_the_letter_idempotent_and_only_three_bits() {
    let mut state = 7u64;
    let mut random = move |below: u64| {
        // splitmix64
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % below
    };
    for round in 0..600 {
        let arch = Arch::ALL[round % 3];
        let count = random(if round % 10 == 0 { 400 } else { 40 });
        let mut vring = Vring::new("v");
        // A page edge now and then.
        let lead = if round % 50 == 0 {
            65536 - count / 2
        } else {
            0
        };
        vring.add_transfer(arch, &pairs(lead)).unwrap();
        for _ in 0..count {
            let classes = if random(4) == 0 { 5 } else { 3 };
            let word1 = [
                0x0108_0003,
                0x0508_0003,
                0x0108_0003,
                0x0210_0000,
                0x0090_0102,
            ][random(classes) as usize];
            let word0 = (random(1 << 32) as u32) & !(1 << 23 | 0x7f_0000)
                | u32::from(random(16) == 0) << 23;
            let length = [0, 1, 512, 4096, 65535][random(5) as usize];
            let desc = Desc::new(word0 & !0xffff | length, word1, random(u64::MAX));
            vring.add_raw(Side::Tx, desc).unwrap();
            if random(3) > 0 {
                vring.add_raw(Side::Rx, Desc::default()).unwrap();
            }
        }
        let all = vring.half(Side::Tx).used();
        let start = random(u64::from(all) + 1) as u32;
        let end = start + random(u64::from(all - start) + 1) as u32;
        let max_bytes = [0, 1, 4096, 65536, 131_072, 1 << 40][random(6) as usize];
        let before: Vec<Desc> = vring.half(Side::Tx).iter().copied().collect();
        let packed = vring.pack(arch, start..end, max_bytes).unwrap();
        let after: Vec<Desc> = vring.half(Side::Tx).iter().copied().collect();
        let mut expected = before.clone();
        let tx_max = if arch == Arch::Sunda { 128 } else { 65 };
        pack_by_the_letter(
            &mut expected[start as usize..end as usize],
            tx_max,
            max_bytes,
        );
        assert!(after == expected, "round {round}");
        let firsts = |descs: &[Desc]| {
            descs[start as usize..end as usize]
                .iter()
                .filter(|desc| desc.first())
                .count() as i64
        };
        assert_eq!(
            packed.delta,
            firsts(&after) - firsts(&before),
            "round {round}"
        );
        for (before, after) in before.iter().zip(&after) {
            assert_eq!((before.word0() ^ after.word0()) & !0x8c00_0000, 0);
            assert_eq!(before.words()[1..], after.words()[1..]);
        }
        let again = vring.pack(arch, start..end, max_bytes).unwrap();
        assert_eq!((again.delta, again.over_rx), (0, packed.over_rx));
        assert!(vring.half(Side::Tx).iter().eq(after.iter()));
    }
}
