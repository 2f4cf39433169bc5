//! A real device, by its calls, or a dry run that only says them.

use std::fs::{File, OpenOptions};
use std::os::fd::AsRawFd;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use udma::abi::request::Request;

use super::port::{ModelPort, Patience, Port};
use crate::argument::Argument;

/// Where a loaded driver says its version.
const VERSION: &str = "/sys/module/neuron/version";
/// Versions whose calls are known as recorded.
const KNOWN: [&str; 1] = ["2.26.5.0"];
/// Devices that are looked for.
const DEVICES: usize = 64;

/// Devices of this machine, lowest number first.
pub fn discover() -> Vec<PathBuf> {
    let paths = (0..DEVICES).map(|number| PathBuf::from(format!("/dev/neuron{number}")));
    paths.filter(|path| path.exists()).collect()
}

/// Version of the loaded driver.
///
/// # Errors
/// That there is none, or that it does not say.
pub fn driver_version() -> Result<String, String> {
    let text = std::fs::read_to_string(VERSION).map_err(|error| format!("{VERSION}: {error}"))?;
    Ok(text.trim().to_string())
}

/// Refuses a driver whose calls are not known.
///
/// # Errors
/// The version, and those that are known.
pub fn check_version() -> Result<(), String> {
    let version = driver_version()?;
    if KNOWN.contains(&version.as_str()) {
        return Ok(());
    }
    Err(format!(
        "driver {version} has calls that are not known to be those of {}: --any-driver to try",
        KNOWN.join(", ")
    ))
}

/// A device file.
#[derive(Debug)]
pub struct DevicePort {
    path: PathBuf,
    file: Option<File>,
    looks: u32,
}

impl DevicePort {
    /// A device that is not open yet, and how often it is asked for a marker.
    pub fn new(path: &Path, looks: u32) -> Self {
        Self {
            path: path.into(),
            file: None,
            looks,
        }
    }
}

impl Port for DevicePort {
    fn open(&mut self) -> Result<(), String> {
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .custom_flags(libc::O_CLOEXEC)
            .open(&self.path)
            .map_err(|error| format!("{}: {error}", self.path.display()))?;
        self.file = Some(file);
        Ok(())
    }

    fn close(&mut self) {
        self.file = None;
    }

    fn call_number(
        &mut self,
        number: u32,
        argument: &mut Argument,
        data: &mut [(usize, &mut [u8])],
    ) -> i64 {
        let Some(file) = &self.file else {
            return -i64::from(libc::EBADF);
        };
        for (offset, bytes) in data {
            argument.set_long(*offset, bytes.as_mut_ptr() as u64);
        }
        let place = argument.bytes_mut().as_mut_ptr();
        // SAFETY: the argument has the size of the request's structure, and the buffers that it
        // points to have the sizes that stand beside them; all of them live during the call.
        let value = unsafe { libc::ioctl(file.as_raw_fd(), libc::Ioctl::from(number), place) };
        if value < 0 {
            let error = std::io::Error::last_os_error();
            return -i64::from(error.raw_os_error().unwrap_or(libc::EIO));
        }
        value.into()
    }

    fn patience(&self) -> Patience {
        Patience {
            looks: self.looks,
            pause: Duration::from_micros(10),
        }
    }
}

/// Says every call, and makes it on a model instead.
#[derive(Debug)]
pub struct DryPort {
    model: ModelPort,
    path: PathBuf,
    lines: Vec<String>,
}

/// Most bytes of an argument that are printed.
const SHOWN: usize = 64;

impl DryPort {
    /// In place of the device at `path`.
    pub fn new(path: &Path, model: ModelPort) -> Self {
        Self {
            model,
            path: path.into(),
            lines: Vec::new(),
        }
    }

    /// The calls, one a line.
    pub fn lines(&self) -> &[String] {
        &self.lines
    }
}

impl Port for DryPort {
    fn open(&mut self) -> Result<(), String> {
        self.lines.push(format!("open {}", self.path.display()));
        self.model.open()
    }

    fn close(&mut self) {
        self.lines.push(format!("close {}", self.path.display()));
        self.model.close();
    }

    fn call_number(
        &mut self,
        number: u32,
        argument: &mut Argument,
        data: &mut [(usize, &mut [u8])],
    ) -> i64 {
        let name = Request::of(number).map_or("unknown", |request| request.name);
        let bytes = argument.bytes_mut();
        let more = if bytes.len() > SHOWN { "…" } else { "" };
        let hex: String = bytes
            .iter()
            .take(SHOWN)
            .map(|byte| format!("{byte:02x}"))
            .collect();
        let buffers: String = data
            .iter()
            .map(|(offset, bytes)| format!(" +{offset}:{} bytes", bytes.len()))
            .collect();
        self.lines
            .push(format!("ioctl {number:#010x} {name} {hex}{more}{buffers}"));
        self.model.call_number(number, argument, data)
    }

    fn patience(&self) -> Patience {
        self.model.patience()
    }
}
