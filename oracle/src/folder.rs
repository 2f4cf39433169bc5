//! Folders of files.

use std::io;
use std::path::{Path, PathBuf};

/// The files of a folder that have an extension, in the order of their names.
///
/// # Errors
/// The folder cannot be read.
pub fn files(folder: &Path, extension: &str) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let file = entry?.path();
        if file.extension().is_some_and(|found| found == extension) {
            files.push(file);
        }
    }
    files.sort();
    Ok(files)
}
