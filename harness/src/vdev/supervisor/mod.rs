//! `udma vdev`: puts a [`Board`] behind the system calls of an unmodified program.
//!
//! The program and all it starts run under a filter that hands calls over which may concern a
//! device: opens, stats and accesses by path, ioctls of the driver's type, mappings of files. What
//! is not about `/dev/neuronN` goes on as if no one had looked. An open hands over the description
//! of a file in memory, made for this open alone: by its inode an open file is known again through
//! `/proc/PID/fd`, and the lock that its description holds is free again when the last reference to
//! it is gone, through whatever dup, fork, exec or passing it went.

mod filter;
mod paths;
mod serve;
mod shared;
mod sys;

use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Command, ExitStatus};

use super::board::{Board, BoardConfig};
use serve::Server;

/// Runs a program under a machine of virtual devices, until it and all that it started have ended.
/// Lines of the log go to `log`. Gives the program's own status, and the machine as it was left.
///
/// # Errors
/// What keeps the program from being started or served.
pub fn run(
    config: BoardConfig,
    command: &mut Command,
    log: &mut dyn FnMut(&str),
) -> io::Result<(ExitStatus, Board)> {
    let (ours, theirs) = UnixStream::pair()?;
    let filter = sys::program();
    let socket = theirs.as_raw_fd();
    // SAFETY: between fork and exec the closure makes system calls alone, on memory that was made
    // before.
    unsafe { command.pre_exec(move || sys::install_filter(&filter, socket)) };
    let mut child = command.spawn()?;
    drop(theirs);
    let listener = sys::receive_descriptor(ours.as_raw_fd())?;
    drop(ours);
    sys::wake_in_turn(&listener);
    let mut server = Server::new(Board::new(config), listener);
    server.serve(log)?;
    let status = child.wait()?;
    Ok((status, server.into_board()))
}

/// The exit code that stands for a status: the program's own, or 128 and the signal.
pub fn exit_code(status: ExitStatus) -> u8 {
    let code = status.code().or(status.signal().map(|signal| 128 + signal));
    code.unwrap_or(255) as u8
}
