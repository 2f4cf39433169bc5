//! `udma build-oracle`: the example tree, and what is told of manifests and sources that are wrong.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use rstest::rstest;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A folder of sources.
struct Tree {
    folder: tempfile::TempDir,
}

const MANIFEST: &str = "udma-oracle.toml";
const LIBRARY: &str = "libtinydma.so";

impl Tree {
    fn empty() -> Self {
        Self {
            folder: tempfile::tempdir().expect("a folder"),
        }
    }

    /// The example, in a place of its own.
    fn example() -> Self {
        let tree = Self::empty();
        let example = root().join("docs/examples/c-tree");
        for name in [MANIFEST, "tiny_dma.h", "tiny_dma.c", "adapter.c"] {
            std::fs::copy(example.join(name), tree.file(name)).expect(name);
        }
        tree
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.file(name), text).expect(name);
    }

    fn change(&self, name: &str, from: &str, to: &str) {
        let old = std::fs::read_to_string(self.file(name)).expect(name);
        assert!(old.contains(from), "{from}");
        self.write(name, &old.replacen(from, to, 1));
    }

    fn build(&self) -> Output {
        self.build_with("cc")
    }

    fn build_with(&self, compiler: &str) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_udma"));
        command
            .arg("build-oracle")
            .arg(self.file(MANIFEST))
            .env("CC", compiler)
            .stdin(Stdio::null());
        command.output().expect("the udma command")
    }

    fn check(&self) -> Output {
        self.check_as("2.26.5.0")
    }

    fn check_as(&self, driver: &str) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_udma"));
        command
            .args(["check", "--no-save", "--cases", "50", "--driver", driver])
            .args(["--suite", "barrier", "--suite", "ring", "--subject"])
            .arg(format!("lib:{}", self.file(LIBRARY).display()))
            .current_dir(root())
            .stdin(Stdio::null());
        command.output().expect("the udma command")
    }

    /// What is there beside what was put there.
    fn left_over(&self, own: &[&str]) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder.path()).expect("the folder");
        let names = entries.map(|entry| entry.expect("an entry").file_name());
        let mut names: Vec<String> = names
            .map(|name| name.to_string_lossy().into_owned())
            .filter(|name| !own.contains(&name.as_str()))
            .collect();
        names.sort();
        names
    }
}

const OWN: [&str; 4] = [MANIFEST, "tiny_dma.h", "tiny_dma.c", "adapter.c"];

#[test]
fn the_example_is_built_and_holds() {
    let tree = Tree::example();
    let out = tree.build();
    let shown = text(&out.stdout);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    assert!(shown.contains("info, build_pairs, ring_size"), "{shown}");
    assert_eq!(tree.left_over(&OWN), [LIBRARY]);
    let out = tree.check();
    let shown = text(&out.stdout);
    assert_eq!(out.status.code(), Some(0), "{shown}\n{}", text(&out.stderr));
    assert!(shown.contains("held:"), "{shown}");
}

#[rstest]
#[case::barrier(
    "#define TD_OP_BARRIER  (1u << 26)",
    "#define TD_OP_BARRIER  (1u << 28)",
    "BARR-2"
)]
#[case::guard("#define TD_GUARD       16u", "#define TD_GUARD       15u", "RING-9")]
fn a_fault_in_the_example_is_caught(#[case] right: &str, #[case] fault: &str, #[case] rule: &str) {
    let tree = Tree::example();
    tree.change("tiny_dma.c", right, fault);
    assert_eq!(tree.build().status.code(), Some(0));
    let out = tree.check();
    let shown = text(&out.stdout);
    assert_eq!(out.status.code(), Some(1), "{shown}");
    let first = shown.split("\n1. ").nth(1).unwrap_or_default();
    assert!(first.starts_with(rule), "{shown}");
}

/// One that follows 2.26.5.0 whatever it is asked as.
#[test]
fn what_another_version_does_is_no_excuse() {
    let tree = Tree::example();
    tree.change("adapter.c", "in[i].driver != UDMA_DRIVER_2_26_5", "0");
    assert_eq!(tree.build().status.code(), Some(0));
    assert_eq!(tree.check_as("2.26.5.0").status.code(), Some(0));
    let out = tree.check_as("2.24.7.0");
    let shown = text(&out.stdout);
    assert_eq!(out.status.code(), Some(1), "{shown}");
    assert!(shown.contains("driver 2.18.20.0 to 2.24.7.0"), "{shown}");
    assert!(
        shown.contains("recorded answers are those of 2.26.5.0"),
        "{shown}"
    );
    let first = shown.split("\n1. ").nth(1).unwrap_or_default();
    assert!(first.starts_with("BARR-5"), "{shown}");
}

#[test]
fn a_version_that_is_not_known_is_bad_input() {
    let tree = Tree::example();
    assert_eq!(tree.build().status.code(), Some(0));
    let out = tree.check_as("2.24.8.0");
    let shown = text(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "{shown}");
    let known = "2.15.9.0, 2.18.20.0, 2.20.28.0, 2.22.2.0, 2.24.7.0, 2.25.4.0, 2.26.5.0, 2.27.4.0";
    assert!(
        shown.contains("\"2.24.8.0\"") && shown.contains(known),
        "{shown}"
    );
}

#[rstest]
#[case::missing_source(MANIFEST, "\"adapter.c\"", "\"adaptor.c\"", &["source \"adaptor.c\": there is no such file"])]
#[case::unknown_key(MANIFEST, "defines", "define", &["unknown field `define`", "line 4"])]
#[case::no_sources(MANIFEST, "[\"tiny_dma.c\", \"adapter.c\"]", "[]", &["\"sources\" is empty"])]
#[case::bad_define(MANIFEST, "TD_MAX_COPY=65536", "TD-MAX=1", &["define \"TD-MAX=1\""])]
#[case::no_output_folder(MANIFEST, LIBRARY, "out/lib.so", &["output \"out/lib.so\": there is no such folder"])]
#[case::no_include(MANIFEST, "defines", "include = [\"nowhere\"]\ndefines", &["include \"nowhere\""])]
#[case::does_not_compile("tiny_dma.c", "return TD_OK;", "return TD_OKAY;", &["tiny_dma.c:42:", "TD_OKAY"])]
#[case::does_not_link("adapter.c", "td_ring_slots(want[i])", "td_rings(want[i])", &["td_rings"])]
#[case::says_nothing("adapter.c", "udma_info(", "udma_infos(", &["exports no udma_info", "udma_infos is exported"])]
fn what_is_wrong_is_told_and_nothing_is_left(
    #[case] file: &str,
    #[case] right: &str,
    #[case] wrong: &str,
    #[case] told: &[&str],
) {
    let tree = Tree::example();
    tree.write(LIBRARY, "an older one");
    tree.change(file, right, wrong);
    let out = tree.build();
    let shown = text(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "{shown}");
    for told in told {
        assert!(shown.contains(told), "{told}: {shown}");
    }
    assert!(shown.contains(MANIFEST), "{shown}");
    assert_eq!(tree.left_over(&OWN), [LIBRARY]);
    let kept = std::fs::read_to_string(tree.file(LIBRARY)).expect("the older one");
    assert_eq!(kept, "an older one");
}

#[test]
fn without_a_compiler_there_is_no_verdict_on_the_sources() {
    let tree = Tree::example();
    let out = tree.build_with("/nonexistent/cc");
    assert_eq!(out.status.code(), Some(3));
    assert!(text(&out.stderr).contains("/nonexistent/cc"));
    assert!(tree.left_over(&OWN).is_empty());
}

/// Kernel sources compile against the stand-ins, and against them alone.
#[test]
fn kernel_sources_get_their_headers() {
    let tree = Tree::empty();
    tree.write(
        "driver.c",
        "#include <linux/bug.h>\n#include <linux/io.h>\n#include <linux/log2.h>\n#include <udma_oracle.h>\n\
         int32_t udma_info(struct udma_info *out)\n\
         { out->abi_version = UDMA_ABI_VERSION; out->line = UDMA_LINE_KERNEL; return 0; }\n\
         int32_t udma_ring_size(const uint32_t *want, uint32_t *out, uint32_t n)\n\
         { for (u32 i = 0; i < n; i++) { BUG_ON(!want); out[i] = roundup_pow_of_two(want[i]); } return 0; }\n",
    );
    let manifest = "output = \"lib.so\"\nsources = [\"driver.c\"]\n";
    tree.write(MANIFEST, &format!("{manifest}kshim = true\n"));
    let out = tree.build();
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    assert!(text(&out.stdout).contains("info, ring_size"));
    tree.write(MANIFEST, manifest);
    let out = tree.build();
    assert_eq!(out.status.code(), Some(2));
    assert!(
        text(&out.stderr).contains("driver.c:1:"),
        "{}",
        text(&out.stderr)
    );
}
