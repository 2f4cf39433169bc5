//! `udma prove`: the implementations are equal for every input, a planted bit is found whatever
//! operation it is in, and what cannot be followed to its end is not called proved.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

fn prove(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_udma"))
        .current_dir(ROOT)
        .arg("prove")
        .args(args)
        .output()
        .expect("the command runs")
}

fn text(output: &Output) -> String {
    let (out, err) = (&output.stdout, &output.stderr);
    format!(
        "{}{}",
        String::from_utf8_lossy(out),
        String::from_utf8_lossy(err)
    )
}

/// What came of each operation, and the lines that belong to it.
fn operations(output: &Output) -> Vec<(String, String, Vec<String>)> {
    let mut found: Vec<(String, String, Vec<String>)> = Vec::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        if let Some(more) = line.strip_prefix("    ") {
            found
                .last_mut()
                .expect("an operation")
                .2
                .push(more.trim().to_string());
        } else if let Some((name, rest)) = line.split_once(' ')
            // The last line counts them.
            && name.parse::<usize>().is_err()
            && let Some(status) = ["proved", "differ", "not proved", "not offered"]
                .into_iter()
                .find(|status| rest.trim_start().starts_with(status))
        {
            found.push((name.into(), status.into(), vec![rest.trim().to_string()]));
        }
    }
    found
}

/// Compiles C sources of this package's proofs, with a C line of the project under `real_`.
fn library(folder: &Path, source: &str, line: Option<(&str, &str)>) -> String {
    let (reference, tests) = (
        PathBuf::from(ROOT).join("reference-c"),
        PathBuf::from(ROOT).join("harness/proofs/tests"),
    );
    let file = folder.join(format!("lib{source}.so"));
    let mut compile = Command::new("cc");
    compile.args([
        "-std=c11",
        "-O2",
        "-fPIC",
        "-shared",
        "-DUDMA_PREFIX=real_",
        "-o",
    ]);
    compile.arg(&file).arg("-I").arg(reference.join("include"));
    if let Some((name, include)) = line {
        compile.arg("-I").arg(reference.join(include));
        for entry in std::fs::read_dir(reference.join(name)).expect("the line's folder") {
            let path = entry.expect("an entry").path();
            if path.extension().is_some_and(|extension| extension == "c") {
                compile.arg(path);
            }
        }
    }
    compile.arg(tests.join(source).with_extension("c"));
    let output = compile.output().expect("cc");
    assert!(output.status.success(), "{}", text(&output));
    format!("lib:{}", file.display())
}

/// The input at which each operation of `planted_hal.c` and `planted.h` is wrong.
const PLANTED_HAL: &[(&str, &str)] = &[
    ("build_pairs", "in[0].size 0x0000000000001234"),
    ("decode", "in[0].word[3] 0x12345678"),
    ("encode", "in[0].pointer 0x0000123456789abc"),
    ("meta_decode", "in[0] 0x12345678"),
    ("meta_encode", "in[0].op_type 0x80000006"),
    ("bits", "inout[0].desc.word[2] 0x12345678"),
    ("build_packet", "in[0].blocks[0].size 0x0000000000001234"),
    ("build_cme_meta", "index 0x12345637"),
    ("build_crc_copy", "in[0].dst 0x0000123456789abc"),
    ("op_split", "in[0].split 0x00010005"),
    ("op_transpose", "in[0].elem_bytes 0x00010004"),
    ("op_replication", "in[0].count 0x00012345"),
    ("op_add", "in[0].sub 0x00010003"),
    ("op_min_max", "in[0].in_dtype 0x00010009"),
    ("op_fma", "in[0].scale_dtype 0x0001000a"),
    ("op_cce_ext", "in[0].dst_dtype 0x0001000b"),
    ("op_gradient", "in[0].accum_dtype 0x0001000c"),
    ("op_decode", "in[0] 0x02500123"),
    ("desc_fma", "in[0].scale 0x12345678"),
    ("desc_min_max", "in[0].length 0x12345678"),
    ("desc_seed_init", "in[0].payload 0x0000123456789abc"),
    ("desc_replication", "in[0].meta_index 0x00010037"),
    ("desc_gradient", "in[0].x 0x00010005"),
    ("desc_decode", "in[0].word[2] 0x12345678"),
    ("combo_chain", "inout[0].word[2] 0x12345678"),
    ("build_transpose", "in[0].dims[2] 0x12345678"),
    ("transpose_name", "name[2] 0x51"),
    ("transpose_window", "inout[0].dst 0x0000003000012345"),
    ("transpose_flush", "in[0].tpb_base 0x0000123456789abc"),
    ("dtypes", "inout[0].cap 0x0000000012345678"),
    ("remap", "inout[0].value 0x00000007"),
    ("build_reduction", "in[0].size 0x0000000000000060"),
];

/// The same of `planted_kernel.c`; the others do not exist in that line.
const PLANTED_KERNEL: &[(&str, &str)] = &[
    PLANTED_HAL[0],
    PLANTED_HAL[1],
    PLANTED_HAL[2],
    PLANTED_HAL[3],
    PLANTED_HAL[4],
    ("ring_size", "want[0] 0x00012345"),
];

#[track_caller]
fn every_planted_bit(line: &str, include: &str, planted: &[(&str, &str)]) {
    let folder = tempfile::tempdir().expect("a folder");
    let library = library(
        folder.path(),
        &format!("planted_{line}"),
        Some((line, include)),
    );
    let output = prove(&[&format!("c-{line}"), &library]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output));
    let found = operations(&output);
    let differ: Vec<&str> = found
        .iter()
        .filter(|(_, status, _)| status == "differ")
        .map(|(name, ..)| name.as_str())
        .collect();
    let wanted: Vec<&str> = planted.iter().map(|(name, _)| *name).collect();
    assert!(
        wanted.iter().all(|name| differ.contains(name)),
        "{}",
        text(&output)
    );
    assert_eq!(differ.len(), wanted.len(), "{}", text(&output));
    for (name, status, lines) in &found {
        let Some((_, row)) = planted.iter().find(|(planted, _)| planted == name) else {
            assert_eq!(status, "not offered", "{name}");
            continue;
        };
        let input = lines
            .iter()
            .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
        assert!(
            input.clone().any(|line| line == *row),
            "{name}: {row}\n{}",
            lines.join("\n")
        );
        assert!(
            input.clone().any(|line| line.ends_with('<')),
            "{name}: {}",
            lines.join("\n")
        );
    }
}

#[test]
fn every_planted_bit_of_the_hal_line_is_found() {
    every_planted_bit("hal", "include", PLANTED_HAL);
}

#[test]
fn every_planted_bit_of_the_kernel_line_is_found() {
    every_planted_bit("kernel", "kshim", PLANTED_KERNEL);
}

#[test]
fn what_cannot_be_followed_is_not_proved() {
    let folder = tempfile::tempdir().expect("a folder");
    let library = library(folder.path(), "broken", None);
    let expected = [
        ("meta_encode", "not proved", "blocks cuts a path"),
        ("op_replication", "not proved", "a path writes byte"),
        ("op_split", "not proved", "a path errs"),
        ("op_transpose", "not proved", "a path calls abort"),
        ("desc_seed_init", "not proved", "a path errs"),
        ("build_cme_meta", "not offered", "does not export it"),
    ];
    let mut args = vec![library.as_str(), "c-hal"];
    for (name, ..) in expected {
        args.extend(["--op", name]);
    }
    let output = prove(&args);
    assert_eq!(output.status.code(), Some(3), "{}", text(&output));
    let found = operations(&output);
    for (name, status, why) in expected {
        let known = found
            .iter()
            .any(|(found, came, lines)| found == name && came == status && lines[0].contains(why));
        assert!(known, "{name}: {status}, {why}\n{}", text(&output));
    }
}

/// The implementation against a C line, whole where it is one line and on the common domain where
/// it is two.
#[track_caller]
fn equal(one: &str, other: &str, least: usize) {
    let output = prove(&[one, other]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    let found = operations(&output);
    let proved = found
        .iter()
        .filter(|(_, status, _)| status == "proved")
        .count();
    assert!(proved >= least, "{}", text(&output));
    assert!(
        found
            .iter()
            .all(|(_, status, _)| ["proved", "not offered"].contains(&status.as_str())),
        "{}",
        text(&output)
    );
}

#[test]
fn rust_and_c_are_equal_in_the_kernel_line() {
    equal("rust-kernel", "c-kernel", 6);
}

#[test]
fn rust_and_c_are_equal_in_the_hal_line() {
    equal("rust-hal", "c-hal", 32);
}

#[test]
fn rust_and_c_are_equal_where_the_lines_meet() {
    equal("rust-kernel", "c-hal", 5);
}

#[test]
fn bad_input_and_a_missing_environment_are_told_apart() {
    for args in [
        ["rust-kernel", "cmd:python3 x.py"].as_slice(),
        &["rust-kernel", "rust-kernel"],
        &["rust-kernel", "lib:nowhere.so"],
        &["c-hal", "c-kernel", "--op", "iofic"],
    ] {
        let output = prove(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {}", text(&output));
    }
    let folder = tempfile::tempdir().expect("a folder");
    let output = Command::new(env!("CARGO_BIN_EXE_udma"))
        .current_dir(ROOT)
        .args(["prove", "c-hal", "c-kernel"])
        .env("CARGO_TARGET_DIR", folder.path())
        .env("PYTHON", "false")
        .output()
        .expect("the command runs");
    assert_eq!(output.status.code(), Some(3), "{}", text(&output));
    assert!(
        text(&output).contains("a virtual environment"),
        "{}",
        text(&output)
    );
}
