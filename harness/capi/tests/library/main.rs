//! The library as it was built: what it exports, what the suite finds, what valgrind sees.

mod check;
mod exports;
mod valgrind;

use std::path::PathBuf;

#[cfg(not(feature = "hal"))]
use udma_capi as capi;
#[cfg(feature = "hal")]
use udma_capi_hal as capi;

/// Of the library, as of its package.
const NAME: &str = if cfg!(feature = "hal") {
    "udma_capi_hal"
} else {
    "udma_capi"
};

/// Cargo builds every form of the library before its tests, into the folder of the tests' own
/// executables.
fn built() -> PathBuf {
    let test = std::env::current_exe().expect("the test's executable");
    let name = format!(
        "{}{NAME}{}",
        std::env::consts::DLL_PREFIX,
        std::env::consts::DLL_SUFFIX
    );
    test.parent().expect("its folder").join(name)
}
