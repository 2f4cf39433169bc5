//! The JSON form and its schema say the same.

mod common;

use std::path::Path;

use jsonschema::Validator;
use rstest::rstest;
use serde_json::{Value, json};
use udma_report::json;
use udma_report::model::{Report, Timing};

fn schema() -> Validator {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpora/schema/report.schema.json");
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let schema: Value = serde_json::from_str(&text).expect("the schema is JSON");
    jsonschema::draft202012::meta::validate(&schema).expect("the schema is a schema");
    jsonschema::draft202012::new(&schema).expect("the schema is whole")
}

fn value(report: &Report) -> Value {
    serde_json::from_str(&json::render(report)).expect("a report is JSON")
}

#[test]
fn reports_satisfy_the_schema() {
    let schema = schema();
    let mut timed = common::held();
    timed.timings = Some(vec![Timing {
        suite: "desc".into(),
        millis: u64::MAX,
    }]);
    timed.seed = u64::MAX;
    for report in [common::sample(), common::held(), timed] {
        let errors: Vec<String> = schema
            .iter_errors(&value(&report))
            .map(|error| error.to_string())
            .collect();
        assert!(errors.is_empty(), "{errors:#?}");
    }
}

// What the schema refuses the reader refuses as well.
#[rstest]
#[case::tag("/format", json!("udma-report/2"))]
#[case::negative("/seed", json!(-1))]
#[case::fraction("/cases", json!(1.5))]
#[case::flag("/complete", json!("yes"))]
#[case::line("/subjects/0/line", json!("firmware"))]
#[case::confidence("/rules/0/confidence", json!("C"))]
#[case::status("/rules/0/results/0/status", json!("not_offered"))]
#[case::lines("/findings/0/expected", json!("accepted"))]
#[case::hex("/findings/0/descriptors/0/actual", json!("0x00"))]
#[case::index("/findings/0/descriptors/0/fields/0/index", json!(4))]
#[case::high("/findings/0/descriptors/0/fields/0/high", json!(64))]
#[case::unknown("/rules/0/results/0", json!({"subject": "rust", "cases": 0, "diverged": 0, "failed": 0, "status": "held", "x": 1}))]
#[case::missing("/rules/0/results/0", json!({"subject": "rust", "cases": 0, "diverged": 0, "failed": 0}))]
fn schema_and_reader_refuse_alike(#[case] pointer: &str, #[case] bad: Value) {
    let mut value = value(&common::sample());
    *value
        .pointer_mut(pointer)
        .expect("the sample has the field") = bad;
    assert!(!schema().is_valid(&value), "the schema takes it");
    let error = json::parse(value.to_string().as_bytes(), Path::new("bad.json"))
        .expect_err("the reader takes it");
    let said = error.to_string();
    assert!(said.starts_with("bad.json:1:"), "{said}");
}
