//! `udma bench --device`: calls of a virtual device with and without system calls, and a large copy.

use std::mem::offset_of;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

use udma::DriverVersion;
use udma::abi::device::DeviceBasicInfo;
use udma::abi::memory::{MemAllocV2MemType64, MemGetExtendedInfo};
use udma::abi::request::{self, Request};
use udma_oracle::model::Schedule;

use crate::argument::Argument;
use crate::cli::print;
use crate::failure::Failure;
use crate::program::build::{Author, stream};
use crate::program::read::render;
use crate::program::{Arch, At, Fill, Number, Op};
use crate::run::device::DevicePort;
use crate::run::port::{ModelPort, Port};
use crate::vdev::{BoardConfig, supervisor};

/// Calls of one round.
const CALLS: u32 = 50_000;
/// Rounds; the best one counts, so that other load on the machine weighs less.
const ROUNDS: u32 = 5;
/// Bytes of the large copy.
const LARGE: u64 = 1 << 30;

const fn config() -> BoardConfig {
    BoardConfig {
        arch: Arch::V3,
        version: DriverVersion::V2_26_5,
        devices: 1,
        schedule: Schedule::Seeded(1),
        fault: None,
    }
}

/// Best rate of a call, per second.
fn rate(port: &mut impl Port, request: &Request, argument: &mut Argument) -> Result<f64, Failure> {
    let mut best = 0f64;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        for _ in 0..CALLS {
            let code = port.call(request, argument, &mut []);
            if code != 0 {
                return Err(Failure::Input(format!("{} gives {code}", request.name)));
            }
        }
        best = best.max(f64::from(CALLS) / start.elapsed().as_secs_f64());
    }
    Ok(best)
}

/// Rates of one call that only answers, and of one that reads its argument too. Neither changes
/// anything.
fn rates(port: &mut impl Port) -> Result<[(&'static str, f64); 2], Failure> {
    port.open().map_err(Failure::Input)?;
    let basic = &request::DEVICE_BASIC_INFO;
    let answers = rate(port, basic, &mut Argument::new::<DeviceBasicInfo>())?;

    let mut alloc = Argument::new::<MemAllocV2MemType64>();
    alloc.set_long(offset_of!(MemAllocV2MemType64, size), 4096);
    alloc.set_word(offset_of!(MemAllocV2MemType64, host_memory), 1);
    let mut handle = [0; 8];
    let at = offset_of!(MemAllocV2MemType64, mem_handle);
    let code = port.call(
        &request::MEM_ALLOC_V2MT64,
        &mut alloc,
        &mut [(at, &mut handle)],
    );
    if code != 0 {
        return Err(Failure::Input(format!("MEM_ALLOC_V2MT64 gives {code}")));
    }
    let mut info = Argument::new::<MemGetExtendedInfo>();
    let handle = u64::from_le_bytes(handle);
    info.set_long(offset_of!(MemGetExtendedInfo, mem_handle), handle);
    let extended = &request::MEM_GET_EXTENDED_INFO;
    let reads = rate(port, extended, &mut info)?;
    port.close();
    Ok([(basic.name, answers), (extended.name, reads)])
}

/// Measures the calls of a device that is there, and prints a rate a line.
///
/// # Errors
/// A device that cannot be opened, or a call that fails.
pub fn calls_of(path: &Path) -> Result<ExitCode, Failure> {
    let text: String = rates(&mut DevicePort::new(path, 0))?
        .iter()
        .map(|(name, rate)| format!("{name} {rate:.0}\n"))
        .collect();
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// The same of a virtual device, by real system calls.
fn supervised() -> Result<Vec<f64>, Failure> {
    let folder = tempfile::tempdir().map_err(Failure::Output)?;
    let said = folder.path().join("rates");
    let file = std::fs::File::create(&said).map_err(Failure::file(&said))?;
    let mut command = Command::new(std::env::current_exe().map_err(Failure::Output)?);
    command
        .args(["bench", "--calls-of", "/dev/neuron0"])
        .stdout(file);
    let ran = supervisor::run(config(), &mut command, &mut |_| {});
    let (status, _) = ran.map_err(Failure::Output)?;
    let text = std::fs::read_to_string(&said).map_err(Failure::file(&said))?;
    let rates = text
        .lines()
        .filter_map(|line| line.rsplit(' ').next()?.parse().ok());
    let rates: Vec<f64> = rates.collect();
    if !status.success() || rates.is_empty() {
        let what = format!("the measured process ended with {status}");
        return Err(Failure::Input(what));
    }
    Ok(rates)
}

/// Seconds of `udma run` of the driver's copy of [`LARGE`] bytes on a backend: filled, copied, read
/// back and compared.
fn large(file: &Path, backend: &str) -> Result<f64, Failure> {
    let start = Instant::now();
    let status = Command::new(std::env::current_exe().map_err(Failure::Output)?)
        .arg("run")
        .arg(file)
        .args(["--on", backend])
        .stdout(Stdio::null())
        .status()
        .map_err(Failure::Output)?;
    if !status.success() {
        let what = format!("the large copy on {backend} ended with {status}");
        return Err(Failure::Input(what));
    }
    Ok(start.elapsed().as_secs_f64())
}

fn large_program(folder: &Path) -> Result<PathBuf, Failure> {
    let mut author = Author::new("large", "The driver's copy of 1 GiB.", &["BTCH-6"]);
    author
        .device("src", LARGE, stream(1))
        .device("dst", LARGE, Fill::Byte(0));
    author.step(Op::DriverCopy {
        src: At::start("src"),
        dst: At::start("dst"),
        size: Number(LARGE),
    });
    author.holds("dst", "src", LARGE);
    let file = folder.join("large.json");
    std::fs::write(&file, render(&author.done())).map_err(Failure::file(&file))?;
    Ok(file)
}

/// Runs the command.
///
/// # Errors
/// A call or a copy that failed, or standard output is gone.
pub fn run() -> Result<ExitCode, Failure> {
    let here = rates(&mut ModelPort::new(config()))?;
    let there = supervised()?;
    let mut text = format!("calls of a virtual device, one client, best of {ROUNDS}\n");
    for ((name, here), there) in here.into_iter().zip(there) {
        text += &format!(
            "  {name:<22} real system calls {there:>9.0}/s   in process {here:>10.0}/s   {:.4}\n",
            there / here
        );
    }
    let folder = tempfile::tempdir().map_err(Failure::Output)?;
    let file = large_program(folder.path())?;
    text += "1 GiB by the driver's copy: filled, copied, read back, compared\n";
    for backend in ["interpret", "model", "vdev"] {
        text += &format!("  {backend:<22} {:>6.1} s\n", large(&file, backend)?);
    }
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}
