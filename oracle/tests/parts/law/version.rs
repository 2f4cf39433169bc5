use udma_oracle::law::version::{VERSIONS, knows_sow};

#[test]
fn the_table_is_in_the_order_of_its_numbers() {
    for (at, version) in VERSIONS.iter().enumerate() {
        assert_eq!(usize::from(version.number), at);
        assert_eq!(knows_sow(version.number), version.knows_sow);
    }
}
