use udma_oracle::law::vring::pring_size;

// PRNG-2, by hand.
#[test]
fn prings_by_hand() {
    for (want, wrap, size) in [
        (0, true, 64),
        (31, false, 64),
        (32, false, 48),
        (33, false, 64),
        (48, true, 64),
        (49, true, 128),
        (16_777_200, true, 16_777_216),
        (16_777_201, true, 33_554_432),
        (u32::MAX, true, 1 << 33),
    ] {
        assert_eq!(pring_size(want, wrap), size, "{want} {wrap}");
    }
}
