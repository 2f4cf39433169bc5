//! The implementation without std: a static library on core and alloc alone, linked into a C
//! program that holds it against the recorded pairs.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

const MANIFEST: &str = r#"[package]
name = "nostd"
version = "0.0.0"
edition = "2024"

[lib]
path = "lib.rs"
crate-type = ["staticlib"]

[dependencies]
udma = { path = "IMPL" }

[profile.release]
panic = "abort"
lto = true

[workspace]
"#;

fn run(command: &mut Command) -> String {
    let output = command
        .output()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let seen = text(&output.stdout);
    assert!(
        output.status.success(),
        "{command:?}: {}\n{seen}{}",
        output.status,
        text(&output.stderr)
    );
    seen
}

/// 16 bytes of a slot as C; 0xaa, the program's fill, for a slot that was left as it was.
fn slot(recorded: &Value) -> String {
    let hex = recorded
        .as_str()
        .map_or_else(|| "aa".repeat(16), String::from);
    let bytes: Vec<String> = (0..hex.len())
        .step_by(2)
        .map(|at| format!("0x{}", &hex[at..at + 2]))
        .collect();
    format!("{{{}}}", bytes.join(","))
}

/// The recorded pairs as C.
fn vectors(root: &Path) -> (usize, String) {
    let file = root.join("corpora/golden/copy_pair.json");
    let text = std::fs::read_to_string(file).expect("the recorded pairs");
    let recorded: Value = serde_json::from_str(&text).expect("JSON");
    let cases = recorded["cases"].as_array().expect("cases");
    let mut c = String::new();
    for case in cases {
        let (asked, answered) = (&case["in"], &case["out"]);
        let address = |name: &str| asked[name].as_str().expect("an address").to_string();
        writeln!(
            c,
            "{{ {}u, {}u, {}u, {}, {}, {}, {}, {}, {}, {} }},",
            address("src"),
            address("dst"),
            asked["size"],
            asked["rx_ring_id"],
            asked["tx_ring_id"],
            asked["barrier"],
            asked["dst_int"],
            answered["ret"],
            slot(&answered["tx"]),
            slot(&answered["rx"]),
        )
        .expect("text");
    }
    (cases.len(), c)
}

#[test]
fn a_c_program_uses_the_implementation() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let root = root.canonicalize().expect("the project");
    let source = root.join("harness/tests/nostd");
    // Kept between runs, so that a second one compiles nothing.
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("nostd");
    std::fs::create_dir_all(&folder).expect("a folder");
    let implementation = root.join("impl").display().to_string();
    for (name, content) in [
        ("Cargo.toml", MANIFEST.replace("IMPL", &implementation)),
        // The versions that the project has fetched.
        (
            "Cargo.lock",
            std::fs::read_to_string(root.join("Cargo.lock")).expect("Cargo.lock"),
        ),
        (
            "lib.rs",
            std::fs::read_to_string(source.join("lib.rs")).expect("lib.rs"),
        ),
    ] {
        std::fs::write(folder.join(name), content).expect("a file");
    }
    let (count, vectors) = vectors(&root);
    std::fs::write(folder.join("vectors.h"), vectors).expect("vectors.h");

    run(Command::new(env!("CARGO"))
        .current_dir(&folder)
        .args(["build", "--release", "--offline", "--quiet", "--target-dir"])
        .arg("target"));
    let program = folder.join("main");
    run(Command::new("cc")
        .args(["-std=c11", "-Wall", "-Wextra", "-Werror"])
        .arg("-I")
        .arg(&folder)
        .arg(source.join("main.c"))
        .arg(folder.join("target/release/libnostd.a"))
        .arg("-o")
        .arg(&program));
    let seen = run(&mut Command::new(&program));
    assert_eq!(seen, format!("{count} vectors, 0 wrong\n"));
    assert!(count > 800, "{count} vectors");
}
