//! What the built library exports: the functions of its table and nothing else.

use std::process::Command;

use crate::capi::API;

#[test]
fn the_tables_functions_and_nothing_else() {
    let output = Command::new("nm")
        .args(["--dynamic", "--defined-only", "--format=posix"])
        .arg(crate::built())
        .output()
        .expect("nm");
    assert!(output.status.success(), "{output:?}");
    let symbols = String::from_utf8_lossy(&output.stdout);
    let mut exported: Vec<&str> = symbols
        .lines()
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    exported.sort_unstable();
    let mut named: Vec<String> = API
        .offered()
        .iter()
        .map(|name| format!("udma_{name}"))
        .collect();
    named.sort_unstable();
    assert_eq!(exported, named);
}
