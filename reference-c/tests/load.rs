//! Libraries that are loaded: what they leave out, and those that cannot be asked.

use std::path::Path;
use std::process::Command;

use udma_reference::{Api, LoadError, abi};

/// Compiles a library of this C and loads its table.
fn load(folder: &Path, c: &str) -> Result<(Api, abi::udma_info), LoadError> {
    let (source, library) = (folder.join("library.c"), folder.join("library.so"));
    std::fs::write(&source, format!("#include \"udma_oracle.h\"\n{c}\n")).expect("a file");
    let status = Command::new("cc")
        .args(["-std=c11", "-shared", "-fPIC", "-I"])
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("include"))
        .arg(&source)
        .arg("-o")
        .arg(&library)
        .status()
        .expect("cc");
    assert!(status.success(), "{c}");
    // SAFETY: nothing runs when the library is loaded.
    let library = unsafe { libloading::Library::new(&library) }.expect("a library");
    // SAFETY: the C includes the header; the table is not called once the library is dropped.
    unsafe { Api::load(&library) }
}

fn try_one(c: &str) -> Result<(Api, abi::udma_info), LoadError> {
    load(tempfile::tempdir().expect("a folder").path(), c)
}

#[test]
fn what_is_left_out_is_none() {
    let (api, info) = try_one(
        "int32_t udma_info(struct udma_info *out)
         { out->abi_version = UDMA_ABI_VERSION; out->line = UDMA_LINE_HAL; return 0; }
         int32_t udma_build_cme_meta(uint32_t index, struct udma_desc *out)
         { (void)index; (void)out; return UDMA_NOT_OFFERED; }",
    )
    .expect("a table");
    assert_eq!(info.line, abi::UDMA_LINE_HAL);
    assert!(api.info.is_some() && api.build_cme_meta.is_some());
    assert!(api.decode.is_none() && api.build_pairs.is_none() && api.layout.is_none());
}

#[test]
fn one_that_cannot_be_asked_is_refused() {
    let none = try_one("int32_t another(void); int32_t another(void) { return 0; }");
    assert_eq!(none.unwrap_err(), LoadError::NoInfo);
    let failing = try_one("int32_t udma_info(struct udma_info *out) { (void)out; return -1; }");
    assert_eq!(failing.unwrap_err(), LoadError::Info { code: -1 });
    let newer = try_one(
        "int32_t udma_info(struct udma_info *out)
         { out->abi_version = UDMA_ABI_VERSION + 1; out->line = UDMA_LINE_HAL; return 0; }",
    );
    let version = abi::UDMA_ABI_VERSION + 1;
    assert_eq!(newer.unwrap_err(), LoadError::Version { version });
}
