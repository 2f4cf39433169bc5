//! The inputs that told the planted beliefs, read once.

use std::path::Path;
use std::sync::LazyLock;

use serde_json::Value;

/// The lines of `corpora/beliefs.jsonl`.
pub static ROWS: LazyLock<Vec<Value>> = LazyLock::new(|| {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpora/beliefs.jsonl");
    let text = std::fs::read_to_string(file).expect("corpora/beliefs.jsonl");
    text.lines()
        .map(|line| serde_json::from_str(line).expect("a line of JSON"))
        .collect()
});
