//! Paths of calls: which of them are a device's.

use std::path::{Component, Path, PathBuf};

use super::sys;

/// What a path names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    /// `/dev/neuronN`.
    Device(usize),
    /// The file that holds the driver's version.
    Version,
}

/// Most bytes of a path.
const LONGEST: usize = 4096;
/// Bytes that are looked at in one go; most paths are shorter.
const STEP: usize = 256;
/// Where a loaded driver says its version.
const VERSION: &str = "/sys/module/neuron/version";

/// Reads a path out of a process; none where it cannot be read or does not end.
pub fn read(process: u32, mut address: u64) -> Option<Vec<u8>> {
    let mut path = Vec::new();
    while path.len() < LONGEST {
        let mut part = [0; STEP];
        let length = sys::read_memory(process, address, &mut part);
        if let Some(end) = part[..length].iter().position(|byte| *byte == 0) {
            path.extend_from_slice(&part[..end]);
            return Some(path);
        }
        if length < STEP {
            return None;
        }
        path.extend_from_slice(&part);
        address += STEP as u64;
    }
    None
}

/// What a path names, seen from a directory of a process; `directory` is only asked where it
/// matters.
pub fn named(path: &[u8], directory: impl FnOnce() -> Option<PathBuf>) -> Option<Named> {
    let path = std::str::from_utf8(path).ok()?;
    let last = path.rsplit('/').next()?;
    if !last.starts_with("neuron") && last != "version" {
        return None;
    }
    let whole = if path.starts_with('/') {
        PathBuf::from(path)
    } else {
        directory()?.join(path)
    };
    let plain = plain(&whole);
    if plain == Path::new(VERSION) {
        return Some(Named::Version);
    }
    let number = plain.to_str()?.strip_prefix("/dev/neuron")?;
    let digits = !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit());
    let leading = number.len() > 1 && number.starts_with('0');
    if !digits || leading {
        return None;
    }
    number.parse().ok().map(Named::Device)
}

/// Without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                out.pop();
            }
            Component::CurDir => {}
            part => out.push(part),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_by_any_name() {
        let dev = || Some(PathBuf::from("/dev"));
        for (path, want) in [
            ("/dev/neuron0", Some(Named::Device(0))),
            ("/dev/neuron15", Some(Named::Device(15))),
            ("/dev/../dev/./neuron3", Some(Named::Device(3))),
            ("neuron1", Some(Named::Device(1))),
            ("../sys/module/neuron/version", Some(Named::Version)),
            ("/dev/neuron", None),
            ("/dev/neuron00", None),
            ("/dev/neuron1x", None),
            ("/dev/neuron99999999999999999999999", None),
            ("/tmp/neuron1", None),
            ("/dev/null", None),
        ] {
            assert_eq!(named(path.as_bytes(), dev), want, "{path}");
        }
    }
}
