//! The library as it was built: what it exports, what the suite finds, what valgrind sees.

mod check;
mod exports;
mod valgrind;

use std::path::PathBuf;

/// Cargo builds every form of the library before its tests, into the folder of the tests' own
/// executables.
fn built() -> PathBuf {
    let test = std::env::current_exe().expect("the test's executable");
    let name = format!(
        "{}udma_capi{}",
        std::env::consts::DLL_PREFIX,
        std::env::consts::DLL_SUFFIX
    );
    test.parent().expect("its folder").join(name)
}
