//! Where the vectors are: given, or found from the current folder upwards.

use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// The corpora folder: `given`, or the first `corpora` with a `golden` inside, from the current
/// folder upwards.
///
/// # Errors
/// [`Failure::Corpora`] with the place where the search began.
pub fn find(given: Option<&Path>) -> Result<PathBuf, Failure> {
    let holds = |folder: &Path| folder.join("golden").is_dir();
    if let Some(folder) = given {
        return if holds(folder) {
            Ok(folder.to_path_buf())
        } else {
            Err(Failure::Corpora {
                searched: folder.to_path_buf(),
            })
        };
    }
    let here = std::env::current_dir().map_err(Failure::file(Path::new(".")))?;
    // A relative path keeps what is printed free of where the project lies.
    let mut relative = PathBuf::new();
    for ancestor in here.ancestors() {
        if holds(&ancestor.join("corpora")) {
            return Ok(relative.join("corpora"));
        }
        relative.push("..");
    }
    Err(Failure::Corpora {
        searched: PathBuf::from("."),
    })
}
