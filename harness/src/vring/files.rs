//! Ring files: read, and written all or none.

use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

use udma::Desc;

use crate::failure::Failure;

/// Bytes of a descriptor.
pub(super) const SLOT: usize = 16;

/// What a message calls a file.
pub(super) fn name(file: &Path) -> String {
    if file == Path::new("-") {
        "standard input".into()
    } else {
        file.display().to_string()
    }
}

/// A file's content, or what comes on standard input.
pub(super) fn bytes(file: &Path) -> Result<Vec<u8>, Failure> {
    let called = name(file);
    let failed = Failure::file(Path::new(&called));
    if file != Path::new("-") {
        return std::fs::read(file).map_err(failed);
    }
    let mut bytes = Vec::new();
    std::io::stdin().read_to_end(&mut bytes).map_err(failed)?;
    Ok(bytes)
}

/// The descriptors of a ring's bytes.
pub(super) fn ring(file: &Path) -> Result<Vec<Desc>, Failure> {
    let bytes = bytes(file)?;
    let left = bytes.len() % SLOT;
    if left != 0 {
        return Err(Failure::Input(format!(
            "{}: {} bytes: a descriptor has {SLOT}, and the one at byte {} has {left}",
            name(file),
            bytes.len(),
            bytes.len() - left
        )));
    }
    if bytes.is_empty() {
        return Err(Failure::Input(format!(
            "{}: holds no descriptor",
            name(file)
        )));
    }
    let chunk = |chunk: &[u8]| chunk.try_into().map(Desc::from_bytes).ok();
    Ok(bytes.chunks_exact(SLOT).filter_map(chunk).collect())
}

/// Writes all files or none: each beside its place first.
pub(crate) fn write_all(files: &[(PathBuf, Vec<u8>)]) -> Result<(), Failure> {
    let mut partial: Vec<(PathBuf, &Path)> = Vec::new();
    let result = files.iter().try_for_each(|(file, bytes)| {
        let mut beside = file.clone().into_os_string();
        beside.push(format!(".{}.partial", std::process::id()));
        let beside = PathBuf::from(beside);
        partial.push((beside.clone(), file));
        let written = std::fs::File::create(&beside)
            .and_then(|mut out| out.write_all(bytes).and_then(|()| out.sync_all()));
        written.map_err(Failure::file(file))
    });
    let result = result.and_then(|()| {
        partial.iter().try_for_each(|(beside, file)| {
            std::fs::rename(beside, file).map_err(Failure::file(file))
        })
    });
    if result.is_err() {
        for (beside, _) in partial {
            // What could not be made is not there.
            let _ = std::fs::remove_file(beside);
        }
    }
    result
}
