//! Answers calls.

use std::collections::HashMap;
use std::ffi::CString;
use std::io;
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::time::Instant;

use super::paths::{self, Named};
use super::shared::Shared;
use super::sys::{self, Notification, Reply};
use crate::vdev::board::{Board, FileId};
use crate::vdev::user::User;

/// Bytes of the file that stands for a device: more than any address of its memory.
const FILE_BYTES: u64 = 1 << 47;
/// Milliseconds between looks for ended sessions when nothing happens.
const IDLE: i32 = 100;
/// The same while an engine works whose memory a program has mapped.
const WORKING: i32 = 1;
/// Threads whose group is remembered.
const REMEMBERED: usize = 4096;
/// Type and permissions of a device file.
const MODE: u32 = libc::S_IFCHR | 0o666;
/// Device number of the first device.
const MAJOR: u32 = 240;

/// An open file of a device.
struct Session {
    file: FileId,
    device: usize,
    /// A description of its own, which gets the lock when the program's is gone.
    watch: OwnedFd,
    shared: Vec<Shared>,
}

/// Serves the programs under one filter.
pub struct Server {
    board: Board,
    listener: OwnedFd,
    /// By device and inode of the file in memory.
    sessions: HashMap<(u64, u64), Session>,
    groups: HashMap<u32, u32>,
}

/// The memory of a calling process, as long as it waits for its answer.
struct Caller<'a> {
    listener: &'a OwnedFd,
    id: u64,
    process: u32,
}

impl User for Caller<'_> {
    fn read(&mut self, address: u64, out: &mut [u8]) -> usize {
        let read = sys::read_memory(self.process, address, out);
        // Read first: what was read is only used if the process was still the one that called.
        if read > 0 && !sys::is_valid(self.listener, self.id) {
            out.fill(0);
            return out.len();
        }
        out.len() - read
    }

    fn write(&mut self, address: u64, bytes: &[u8]) -> usize {
        if !sys::is_valid(self.listener, self.id) {
            return bytes.len();
        }
        bytes.len() - sys::write_memory(self.process, address, bytes)
    }
}

impl Server {
    /// A server with nothing open.
    pub fn new(board: Board, listener: OwnedFd) -> Self {
        Self {
            board,
            listener,
            sessions: HashMap::new(),
            groups: HashMap::new(),
        }
    }

    /// The machine.
    pub fn into_board(self) -> Board {
        self.board
    }

    /// Serves until no process is left under the filter.
    ///
    /// # Errors
    /// Those of the listener.
    pub fn serve(&mut self, log: &mut dyn FnMut(&str)) -> io::Result<()> {
        let mut passed = Instant::now();
        loop {
            let working = self.board.is_busy() && self.has_shared();
            let pause = if working { WORKING } else { IDLE };
            let called = match sys::wait(&self.listener, pause)? {
                Some(true) => {
                    if let Some(notification) = sys::receive(&self.listener)? {
                        self.answer(&notification);
                    }
                    true
                }
                Some(false) => false,
                None => break,
            };
            // A program that calls without end must not keep the engine from its work, nor the
            // sessions of others from their end.
            if !called || passed.elapsed().as_millis() >= pause as u128 {
                self.import();
                self.board.pass_time();
                self.export();
                self.sweep();
                passed = Instant::now();
            }
            for line in self.board.take_log() {
                log(&line);
            }
        }
        self.sweep();
        Ok(())
    }

    fn has_shared(&self) -> bool {
        self.sessions
            .values()
            .any(|session| !session.shared.is_empty())
    }

    fn import(&mut self) {
        let Self {
            board, sessions, ..
        } = self;
        for shared in sessions
            .values_mut()
            .flat_map(|session| &mut session.shared)
        {
            shared.import(board);
        }
    }

    fn export(&mut self) {
        let Self {
            board, sessions, ..
        } = self;
        for session in sessions.values_mut() {
            session
                .shared
                .retain(|shared| board.chunk_of(shared.handle).is_some());
            for shared in &mut session.shared {
                shared.export(board);
            }
        }
    }

    /// Ends the sessions whose last reference is gone.
    fn sweep(&mut self) {
        let ended = |session: &Session| sys::lock(&session.watch).unwrap_or(false);
        let gone: Vec<_> = self
            .sessions
            .iter()
            .filter(|(_, session)| ended(session))
            .map(|(key, _)| *key)
            .collect();
        for key in gone {
            if let Some(session) = self.sessions.remove(&key) {
                self.board.release(session.file);
            }
        }
    }

    fn answer(&mut self, notification: &Notification) {
        let reply = match self.decide(notification) {
            Ok(Some(reply)) => reply,
            // It was answered with a descriptor.
            Ok(None) => return,
            Err(error) => {
                let code = error.raw_os_error().unwrap_or(libc::EIO);
                Reply::Value(-i64::from(code))
            }
        };
        sys::reply(&self.listener, notification.id, reply);
    }

    fn decide(&mut self, call: &Notification) -> io::Result<Option<Reply>> {
        let args = call.data.args;
        let here = libc::AT_FDCWD as u64;
        let number = libc::c_long::from(call.data.nr);
        #[cfg(target_arch = "x86_64")]
        match number {
            libc::SYS_open => return self.open(call, here, args[0], args[1]),
            libc::SYS_stat | libc::SYS_lstat => {
                return Ok(self.stat(call, here, args[0], args[1], 0));
            }
            libc::SYS_access => return Ok(self.access(call, here, args[0])),
            _ => {}
        }
        match number {
            libc::SYS_ioctl => Ok(Some(self.ioctl(call))),
            libc::SYS_mmap => Ok(Some(self.mmap(call)?)),
            libc::SYS_openat => self.open(call, args[0], args[1], args[2]),
            libc::SYS_openat2 => {
                let mut flags = [0; 8];
                let left = self.caller(call).read(args[2], &mut flags);
                if left > 0 {
                    return Ok(Some(Reply::Continue));
                }
                self.open(call, args[0], args[1], u64::from_le_bytes(flags))
            }
            libc::SYS_newfstatat => Ok(self.stat(call, args[0], args[1], args[2], args[3])),
            libc::SYS_fstat => Ok(Some(match self.session_of(call, args[0]) {
                Some((session, _)) => {
                    let device = session.device;
                    self.write_stat(call, device, args[1])
                }
                None => Reply::Continue,
            })),
            libc::SYS_statx => Ok(self.statx(call, args)),
            libc::SYS_faccessat | libc::SYS_faccessat2 => Ok(self.access(call, args[0], args[1])),
            _ => Ok(Some(Reply::Continue)),
        }
    }

    fn caller(&self, call: &Notification) -> Caller<'_> {
        Caller {
            listener: &self.listener,
            id: call.id,
            process: call.pid,
        }
    }

    /// What a path of a call names.
    fn named(&self, call: &Notification, directory: u64, path: u64) -> Option<Named> {
        let path = paths::read(call.pid, path)?;
        let link = if directory as i32 == libc::AT_FDCWD {
            format!("/proc/{}/cwd", call.pid)
        } else {
            format!("/proc/{}/fd/{}", call.pid, directory as i32)
        };
        let named = paths::named(&path, || std::fs::read_link(PathBuf::from(link)).ok())?;
        // What was read is the caller's path only if it still waits.
        sys::is_valid(&self.listener, call.id).then_some(named)
    }

    fn exists(&self, device: usize) -> bool {
        device < self.board.config().devices
    }

    fn open(
        &mut self,
        call: &Notification,
        directory: u64,
        path: u64,
        flags: u64,
    ) -> io::Result<Option<Reply>> {
        let cloexec = flags & libc::O_CLOEXEC as u64 != 0;
        let access = flags as libc::c_int & libc::O_ACCMODE;
        let device = match self.named(call, directory, path) {
            None => return Ok(Some(Reply::Continue)),
            Some(Named::Version) => {
                let text = format!("{}\n", self.board.config().version.name());
                let file = sys::memory_file(c"neuron-version", 0)?;
                std::io::Write::write_all(
                    &mut std::fs::File::from(file.try_clone()?),
                    text.as_bytes(),
                )?;
                let file = sys::open_again(&file, libc::O_RDONLY)?;
                sys::reply_descriptor(&self.listener, call.id, &file, cloexec)?;
                return Ok(None);
            }
            Some(Named::Device(device)) => device,
        };
        if !self.exists(device) {
            return Ok(Some(Reply::Value(-i64::from(libc::ENOENT))));
        }
        self.sweep();
        let Some(group) = self.group(call.pid) else {
            return Ok(Some(Reply::Value(-i64::from(libc::ESRCH))));
        };
        let name = CString::new(format!("neuron{device}")).map_err(io::Error::other)?;
        let watch = sys::memory_file(&name, FILE_BYTES)?;
        let theirs = sys::open_again(&watch, access)?;
        // The program's description holds the lock from the start.
        if !sys::lock(&theirs)? {
            return Err(io::Error::other("a new file is locked"));
        }
        let key = sys::identity_of(&watch)?;
        let file = match self.board.open(device, group) {
            Ok(file) => file,
            Err(code) => return Ok(Some(Reply::Value(code))),
        };
        if let Err(error) = sys::reply_descriptor(&self.listener, call.id, &theirs, cloexec) {
            self.board.release(file);
            return Err(error);
        }
        let session = Session {
            file,
            device,
            watch,
            shared: Vec::new(),
        };
        self.sessions.insert(key, session);
        Ok(None)
    }

    /// The session of a descriptor of a process, and the process.
    fn session_of(&mut self, call: &Notification, fd: u64) -> Option<(&mut Session, u32)> {
        // The path fails where a remembered group is no longer the thread's: one call for both.
        let remembered = self.groups.get(&call.pid).copied();
        let key = remembered.and_then(|group| identity(group, call.pid, fd));
        let (key, group) = if let (Some(key), Some(group)) = (key, remembered) {
            (key, group)
        } else {
            let group = self.group(call.pid)?;
            (identity(group, call.pid, fd)?, group)
        };
        let session = self.sessions.get_mut(&key)?;
        Some((session, group))
    }

    /// The thread group of a thread.
    fn group(&mut self, thread: u32) -> Option<u32> {
        if let Some(group) = self.groups.get(&thread)
            && sys::belongs(*group, thread)
        {
            return Some(*group);
        }
        let status = std::fs::read_to_string(format!("/proc/{thread}/status")).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("Tgid:"))?;
        let group = line.trim().parse().ok()?;
        if self.groups.len() >= REMEMBERED {
            self.groups.clear();
        }
        self.groups.insert(thread, group);
        Some(group)
    }

    fn ioctl(&mut self, call: &Notification) -> Reply {
        let [fd, request, argument, ..] = call.data.args;
        let Some((session, group)) = self.session_of(call, fd) else {
            return Reply::Continue;
        };
        let file = session.file;
        let shared = self.has_shared();
        if shared {
            self.import();
        }
        let mut caller = Caller {
            listener: &self.listener,
            id: call.id,
            process: call.pid,
        };
        let code = self
            .board
            .ioctl(file, group, request as u32, argument, &mut caller);
        if shared {
            self.export();
        }
        Reply::Value(code)
    }

    /// DEV-18: the kernel maps the file in memory, whose pages are kept alike with the machine's.
    fn mmap(&mut self, call: &Notification) -> io::Result<Reply> {
        let [_, length, protection, _, fd, offset] = call.data.args;
        let Some((session, group)) = self.session_of(call, fd) else {
            return Ok(Reply::Continue);
        };
        let file = session.file;
        let writes = protection & libc::PROT_WRITE as u64 != 0;
        let handle = match self.board.mapped(file, group, offset, length, writes) {
            Ok(handle) => handle,
            Err(code) => return Ok(Reply::Value(code)),
        };
        self.import();
        let Self {
            board, sessions, ..
        } = self;
        let Some(session) = sessions.values_mut().find(|session| session.file == file) else {
            return Ok(Reply::Continue);
        };
        if session.shared.iter().all(|shared| shared.handle != handle) {
            // Pages of an earlier allocation at this place are not shown.
            sys::punch(&session.watch, offset, length);
            let shared = Shared::new(board, &session.watch, handle, offset, length)?;
            session.shared.push(shared);
        }
        Ok(Reply::Continue)
    }

    fn stat(
        &mut self,
        call: &Notification,
        directory: u64,
        path: u64,
        place: u64,
        flags: u64,
    ) -> Option<Reply> {
        let device = self.device_of(call, directory, path, flags)?;
        Some(match device {
            Asked::Other => Reply::Continue,
            Asked::Device(device) if self.exists(device) => self.write_stat(call, device, place),
            Asked::Device(_) => Reply::Value(-i64::from(libc::ENOENT)),
        })
    }

    fn device_of(
        &mut self,
        call: &Notification,
        directory: u64,
        path: u64,
        flags: u64,
    ) -> Option<Asked> {
        if flags & libc::AT_EMPTY_PATH as u64 != 0
            && paths::read(call.pid, path).is_none_or(|path| path.is_empty())
        {
            let session = self.session_of(call, directory);
            return Some(
                session.map_or(Asked::Other, |(session, _)| Asked::Device(session.device)),
            );
        }
        Some(match self.named(call, directory, path) {
            Some(Named::Device(device)) => Asked::Device(device),
            _ => Asked::Other,
        })
    }

    fn write_stat(&mut self, call: &Notification, device: usize, place: u64) -> Reply {
        let mut bytes = vec![0; size_of::<libc::stat>()];
        let mut put = |offset: usize, value: &[u8]| {
            bytes[offset..offset + value.len()].copy_from_slice(value);
        };
        use std::mem::offset_of;
        put(offset_of!(libc::stat, st_mode), &MODE.to_le_bytes());
        put(offset_of!(libc::stat, st_nlink), &1u32.to_le_bytes());
        put(
            offset_of!(libc::stat, st_ino),
            &(device as u64 + 1).to_le_bytes(),
        );
        let number = libc::makedev(MAJOR, device as u32);
        put(offset_of!(libc::stat, st_rdev), &number.to_le_bytes());
        put(offset_of!(libc::stat, st_blksize), &4096u32.to_le_bytes());
        self.written(call, place, &bytes)
    }

    fn statx(&mut self, call: &Notification, args: [u64; 6]) -> Option<Reply> {
        let [directory, path, flags, _, place, _] = args;
        Some(match self.device_of(call, directory, path, flags)? {
            Asked::Other => Reply::Continue,
            Asked::Device(device) if self.exists(device) => {
                use std::mem::offset_of;
                let mut bytes = vec![0; size_of::<libc::statx>()];
                let mut put = |offset: usize, value: &[u8]| {
                    bytes[offset..offset + value.len()].copy_from_slice(value);
                };
                let basic = libc::STATX_BASIC_STATS.to_le_bytes();
                put(offset_of!(libc::statx, stx_mask), &basic);
                put(offset_of!(libc::statx, stx_blksize), &4096u32.to_le_bytes());
                put(offset_of!(libc::statx, stx_nlink), &1u32.to_le_bytes());
                put(
                    offset_of!(libc::statx, stx_mode),
                    &(MODE as u16).to_le_bytes(),
                );
                put(
                    offset_of!(libc::statx, stx_ino),
                    &(device as u64 + 1).to_le_bytes(),
                );
                put(
                    offset_of!(libc::statx, stx_rdev_major),
                    &MAJOR.to_le_bytes(),
                );
                put(
                    offset_of!(libc::statx, stx_rdev_minor),
                    &(device as u32).to_le_bytes(),
                );
                self.written(call, place, &bytes)
            }
            Asked::Device(_) => Reply::Value(-i64::from(libc::ENOENT)),
        })
    }

    fn written(&self, call: &Notification, place: u64, bytes: &[u8]) -> Reply {
        match self.caller(call).write(place, bytes) {
            0 => Reply::Value(0),
            _ => Reply::Value(-i64::from(libc::EFAULT)),
        }
    }

    fn access(&mut self, call: &Notification, directory: u64, path: u64) -> Option<Reply> {
        Some(match self.named(call, directory, path) {
            Some(Named::Device(device)) if self.exists(device) => Reply::Value(0),
            Some(Named::Version) => Reply::Value(0),
            Some(Named::Device(_)) => Reply::Value(-i64::from(libc::ENOENT)),
            None => Reply::Continue,
        })
    }
}

/// Device and inode of what a descriptor of a thread of a process refers to.
fn identity(group: u32, thread: u32, fd: u64) -> Option<(u64, u64)> {
    let path = format!("/proc/{group}/task/{thread}/fd/{}", fd as i32);
    sys::identity(&CString::new(path).ok()?).ok()
}

/// What a stat is about.
#[derive(Clone, Copy, Debug)]
enum Asked {
    Device(usize),
    Other,
}
