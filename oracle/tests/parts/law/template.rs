use udma_oracle::law::vring::symbol;

// TMPL-1, by hand: variable 2 is 2 << 36.
#[test]
fn symbols_by_hand() {
    assert_eq!(symbol(0x2000_0020_0000_0010), Some((2, 0x10)));
    assert_eq!(symbol(0xff80_0020_0000_0010), Some((2, 0x10)));
    assert_eq!(symbol(0xdf80_0020_0000_0010), None);
    assert_eq!(symbol(u64::MAX), Some((0x7_ffff, 0xf_ffff_ffff)));
}
