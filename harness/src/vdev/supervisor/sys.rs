//! System calls of the supervisor.

use std::ffi::CStr;
use std::io;
use std::mem::{self, zeroed};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::ptr;

use super::filter;

/// A notification of a system call.
pub use libc::seccomp_notif as Notification;

fn checked(code: libc::c_int) -> io::Result<libc::c_int> {
    if code < 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(code)
}

/// A sparse file in memory of `size` bytes.
///
/// # Errors
/// Those of the calls.
pub fn memory_file(name: &CStr, size: u64) -> io::Result<OwnedFd> {
    // SAFETY: the name ends with 0 and lives during the call.
    let fd = checked(unsafe { libc::memfd_create(name.as_ptr(), libc::MFD_CLOEXEC) })?;
    // SAFETY: the descriptor is new and no one else's.
    let file = unsafe { OwnedFd::from_raw_fd(fd) };
    // SAFETY: a call on a descriptor that is open.
    checked(unsafe { libc::ftruncate(file.as_raw_fd(), size as libc::off_t) })?;
    Ok(file)
}

/// Another description of an open file.
///
/// # Errors
/// Those of the calls.
pub fn open_again(file: &OwnedFd, flags: libc::c_int) -> io::Result<OwnedFd> {
    let path = format!("/proc/self/fd/{}\0", file.as_raw_fd());
    let path = CStr::from_bytes_with_nul(path.as_bytes()).map_err(io::Error::other)?;
    // SAFETY: the path ends with 0 and lives during the call.
    let fd = checked(unsafe { libc::open(path.as_ptr(), flags | libc::O_CLOEXEC) })?;
    // SAFETY: the descriptor is new and no one else's.
    Ok(unsafe { OwnedFd::from_raw_fd(fd) })
}

/// Takes the lock of a file for a description; false where another description has it.
///
/// # Errors
/// Those of the call.
pub fn lock(file: &OwnedFd) -> io::Result<bool> {
    // SAFETY: a call on a descriptor that is open.
    match checked(unsafe { libc::flock(file.as_raw_fd(), libc::LOCK_EX | libc::LOCK_NB) }) {
        Ok(_) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(false),
        Err(error) => Err(error),
    }
}

/// Device and inode of a file: of an open one, or by a path.
///
/// # Errors
/// Those of the calls.
pub fn identity(path: &CStr) -> io::Result<(u64, u64)> {
    // SAFETY: all zeroes are a stat structure.
    let mut stat: libc::stat = unsafe { zeroed() };
    // SAFETY: the path ends with 0, the structure is ours, both live during the call.
    checked(unsafe { libc::stat(path.as_ptr(), &raw mut stat) })?;
    Ok((stat.st_dev, stat.st_ino))
}

/// Device and inode of an open file.
///
/// # Errors
/// Those of the call.
pub fn identity_of(file: &OwnedFd) -> io::Result<(u64, u64)> {
    // SAFETY: all zeroes are a stat structure.
    let mut stat: libc::stat = unsafe { zeroed() };
    // SAFETY: the descriptor is open, the structure is ours and lives during the call.
    checked(unsafe { libc::fstat(file.as_raw_fd(), &raw mut stat) })?;
    Ok((stat.st_dev, stat.st_ino))
}

/// Gives the pages of a range of a file in memory back.
pub fn punch(file: &OwnedFd, offset: u64, length: u64) {
    let mode = libc::FALLOC_FL_PUNCH_HOLE | libc::FALLOC_FL_KEEP_SIZE;
    // SAFETY: a call on a descriptor that is open. Nothing depends on its success.
    unsafe { libc::fallocate(file.as_raw_fd(), mode, offset as i64, length as i64) };
}

/// A shared view of a range of a file in memory. Others change it at any time: its bytes are only
/// ever copied, never referred to.
#[derive(Debug)]
pub struct View {
    start: *mut u8,
    length: usize,
}

impl View {
    /// Maps a range.
    ///
    /// # Errors
    /// Those of the call.
    pub fn new(file: &OwnedFd, offset: u64, length: usize) -> io::Result<Self> {
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: a new mapping at a place that the kernel chooses.
        let start = unsafe {
            let (fd, offset) = (file.as_raw_fd(), offset as libc::off_t);
            libc::mmap(
                ptr::null_mut(),
                length,
                protection,
                libc::MAP_SHARED,
                fd,
                offset,
            )
        };
        if start == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        Ok(Self {
            start: start.cast(),
            length,
        })
    }

    /// Copies the range out.
    ///
    /// # Panics
    /// If `out` is not as long as the view.
    pub fn read(&self, out: &mut [u8]) {
        assert_eq!(out.len(), self.length);
        // SAFETY: both ranges are `length` bytes and do not overlap; the view is mapped until it is
        // dropped. What another process writes meanwhile is seen or not, byte by byte.
        unsafe { ptr::copy_nonoverlapping(self.start, out.as_mut_ptr(), self.length) };
    }

    /// Copies bytes in.
    ///
    /// # Panics
    /// If they do not fit.
    pub fn write(&self, offset: usize, bytes: &[u8]) {
        assert!(bytes.len() <= self.length && offset <= self.length - bytes.len());
        // SAFETY: the range is inside of the view, which is mapped until it is dropped.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), self.start.add(offset), bytes.len()) };
    }
}

impl Drop for View {
    fn drop(&mut self) {
        // SAFETY: the mapping is ours, and no reference into it exists.
        unsafe { libc::munmap(self.start.cast(), self.length) };
    }
}

/// Installs the filter in the calling process, which is about to become the program, and sends the
/// listener through a socket. Made of system calls alone: it runs between fork and exec.
///
/// # Errors
/// Those of the calls.
pub fn install_filter(program: &[libc::sock_filter], socket: RawFd) -> io::Result<()> {
    let fprog = libc::sock_fprog {
        len: program.len() as u16,
        filter: program.as_ptr().cast_mut(),
    };
    // SAFETY: plain numbers.
    checked(unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) })?;
    // SAFETY: the filter lives during the call, which copies it.
    let listener = unsafe {
        libc::syscall(
            libc::SYS_seccomp,
            libc::SECCOMP_SET_MODE_FILTER,
            libc::SECCOMP_FILTER_FLAG_NEW_LISTENER,
            &raw const fprog,
        )
    };
    let listener = checked(listener as libc::c_int)?;
    let sent = send_descriptor(socket, listener);
    // SAFETY: the descriptor is ours.
    unsafe { libc::close(listener) };
    sent
}

/// Room for one descriptor in a control message, aligned as its header.
#[repr(C, align(8))]
struct Control([u8; 64]);

/// The message with room for one descriptor.
fn message(byte: &mut libc::iovec, control: &mut Control) -> libc::msghdr {
    // SAFETY: all zeroes are an empty message.
    let mut header: libc::msghdr = unsafe { zeroed() };
    header.msg_iov = byte;
    header.msg_iovlen = 1;
    header.msg_control = control.0.as_mut_ptr().cast();
    // SAFETY: arithmetic only.
    header.msg_controllen = unsafe { libc::CMSG_SPACE(mem::size_of::<RawFd>() as u32) } as usize;
    header
}

fn send_descriptor(socket: RawFd, fd: RawFd) -> io::Result<()> {
    let mut data = [0u8];
    let mut byte = libc::iovec {
        iov_base: data.as_mut_ptr().cast(),
        iov_len: 1,
    };
    let mut control = Control([0; 64]);
    let header = message(&mut byte, &mut control);
    // SAFETY: the header lies in `control`, which is aligned and has room for it and a descriptor.
    unsafe {
        let first = libc::CMSG_FIRSTHDR(&raw const header);
        (*first).cmsg_level = libc::SOL_SOCKET;
        (*first).cmsg_type = libc::SCM_RIGHTS;
        (*first).cmsg_len = libc::CMSG_LEN(mem::size_of::<RawFd>() as u32) as usize;
        ptr::write_unaligned(libc::CMSG_DATA(first).cast::<RawFd>(), fd);
    }
    // SAFETY: the message and what it points to live during the call.
    let sent = unsafe { libc::sendmsg(socket, &raw const header, 0) };
    checked(sent as libc::c_int).map(drop)
}

/// Receives a descriptor that [`install_filter`] sent.
///
/// # Errors
/// Those of the call, or a message without one.
pub fn receive_descriptor(socket: RawFd) -> io::Result<OwnedFd> {
    let mut data = [0u8];
    let mut byte = libc::iovec {
        iov_base: data.as_mut_ptr().cast(),
        iov_len: 1,
    };
    let mut control = Control([0; 64]);
    let mut header = message(&mut byte, &mut control);
    // SAFETY: the message and what it points to live during the call.
    let got = unsafe { libc::recvmsg(socket, &raw mut header, libc::MSG_CMSG_CLOEXEC) };
    checked(got as libc::c_int)?;
    // SAFETY: the header was filled in by the kernel.
    let first = unsafe { libc::CMSG_FIRSTHDR(&raw const header) };
    if first.is_null() {
        return Err(io::Error::other(
            "the program did not hand its listener over",
        ));
    }
    // SAFETY: a message of one descriptor, which is ours from now on.
    Ok(unsafe {
        let fd = ptr::read_unaligned(libc::CMSG_DATA(first).cast::<RawFd>());
        OwnedFd::from_raw_fd(fd)
    })
}

/// Whether a listener has a notification; none when every process under the filter has ended.
///
/// # Errors
/// Those of the call.
pub fn wait(listener: &OwnedFd, milliseconds: i32) -> io::Result<Option<bool>> {
    let mut entry = libc::pollfd {
        fd: listener.as_raw_fd(),
        events: libc::POLLIN,
        revents: 0,
    };
    // SAFETY: one entry, which lives during the call.
    match checked(unsafe { libc::poll(&raw mut entry, 1, milliseconds) }) {
        Ok(_) if entry.revents & libc::POLLIN != 0 => Ok(Some(true)),
        Ok(_) if entry.revents & (libc::POLLHUP | libc::POLLERR) != 0 => Ok(None),
        Ok(_) => Ok(Some(false)),
        Err(error) if error.kind() == io::ErrorKind::Interrupted => Ok(Some(false)),
        Err(error) => Err(error),
    }
}

/// Receives a notification; none if the process has gone meanwhile.
///
/// # Errors
/// Those of the call.
pub fn receive(listener: &OwnedFd) -> io::Result<Option<Notification>> {
    // SAFETY: all zeroes are an empty notification, as the kernel wants it.
    let mut notification: Notification = unsafe { zeroed() };
    // SAFETY: the structure is ours and lives during the call.
    let code = unsafe {
        libc::ioctl(
            listener.as_raw_fd(),
            libc::SECCOMP_IOCTL_NOTIF_RECV,
            &raw mut notification,
        )
    };
    match checked(code) {
        Ok(_) => Ok(Some(notification)),
        Err(error) if matches!(error.raw_os_error(), Some(libc::ENOENT | libc::EINTR)) => Ok(None),
        Err(error) => Err(error),
    }
}

/// How a notification is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reply {
    /// The call goes on as if no one had looked.
    Continue,
    /// It gives this value, or fails with this negative errno.
    Value(i64),
}

/// Answers a notification. A process that has gone does not mind.
pub fn reply(listener: &OwnedFd, id: u64, reply: Reply) {
    let mut response = libc::seccomp_notif_resp {
        id,
        val: 0,
        error: 0,
        flags: 0,
    };
    match reply {
        Reply::Continue => response.flags = libc::SECCOMP_USER_NOTIF_FLAG_CONTINUE as u32,
        Reply::Value(value @ 0..) => response.val = value,
        Reply::Value(code) => response.error = code as i32,
    }
    // SAFETY: the structure is ours and lives during the call.
    unsafe {
        libc::ioctl(
            listener.as_raw_fd(),
            libc::SECCOMP_IOCTL_NOTIF_SEND,
            &raw mut response,
        )
    };
}

/// Puts a descriptor into the process of a notification and answers with its number.
///
/// # Errors
/// Those of the call.
pub fn reply_descriptor(
    listener: &OwnedFd,
    id: u64,
    file: &OwnedFd,
    cloexec: bool,
) -> io::Result<()> {
    let mut add = libc::seccomp_notif_addfd {
        id,
        flags: libc::SECCOMP_ADDFD_FLAG_SEND as u32,
        srcfd: file.as_raw_fd() as u32,
        newfd: 0,
        newfd_flags: if cloexec { libc::O_CLOEXEC as u32 } else { 0 },
    };
    // SAFETY: the structure is ours and lives during the call.
    let code = unsafe {
        libc::ioctl(
            listener.as_raw_fd(),
            libc::SECCOMP_IOCTL_NOTIF_ADDFD,
            &raw mut add,
        )
    };
    checked(code).map(drop)
}

/// Whether a notification is still waited for: its process is the one that made the call.
pub fn is_valid(listener: &OwnedFd, id: u64) -> bool {
    // SAFETY: the number is ours and lives during the call.
    let code = unsafe {
        libc::ioctl(
            listener.as_raw_fd(),
            libc::SECCOMP_IOCTL_NOTIF_ID_VALID,
            &raw const id,
        )
    };
    code == 0
}

/// `SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP`.
const SYNC_WAKE_UP: u64 = 1;

/// Asks for the caller and the supervisor to hand the processor to each other.
pub fn wake_in_turn(listener: &OwnedFd) {
    // SAFETY: plain numbers. Older kernels do not know it, and nothing depends on it.
    unsafe {
        libc::ioctl(
            listener.as_raw_fd(),
            libc::SECCOMP_IOCTL_NOTIF_SET_FLAGS,
            SYNC_WAKE_UP,
        )
    };
}

/// Whether a thread belongs to a thread group.
pub fn belongs(group: u32, thread: u32) -> bool {
    // SAFETY: signal 0 is sent to no one.
    let code = unsafe { libc::syscall(libc::SYS_tgkill, group, thread, 0) };
    code == 0
}

/// Which way bytes go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    In,
    Out,
}

/// Page borders that transfers stop at.
const PAGE: u64 = 4096;

/// Moves bytes between this process and another; gives the number moved.
fn transfer(process: u32, address: u64, bytes: *mut u8, length: usize, way: Way) -> usize {
    let mut done = 0;
    let mut part = length;
    while done < length {
        part = part.min(length - done);
        let there = address.wrapping_add(done as u64);
        let local = libc::iovec {
            // SAFETY: inside of the caller's `length` bytes.
            iov_base: unsafe { bytes.add(done) }.cast(),
            iov_len: part,
        };
        let remote = libc::iovec {
            iov_base: there as usize as *mut libc::c_void,
            iov_len: part,
        };
        // SAFETY: the local range is the caller's; the remote one is checked by the kernel.
        let moved = unsafe {
            let pid = process as libc::pid_t;
            match way {
                Way::In => {
                    libc::process_vm_readv(pid, &raw const local, 1, &raw const remote, 1, 0)
                }
                Way::Out => {
                    libc::process_vm_writev(pid, &raw const local, 1, &raw const remote, 1, 0)
                }
            }
        };
        let to_border = (PAGE - there % PAGE) as usize;
        match moved {
            1.. => done += moved as usize,
            // Page by page: as much as can be moved is.
            _ if part > to_border => part = to_border,
            _ => return done,
        }
    }
    done
}

/// Reads memory of another process; gives the number of bytes read.
pub fn read_memory(process: u32, address: u64, out: &mut [u8]) -> usize {
    transfer(process, address, out.as_mut_ptr(), out.len(), Way::In)
}

/// Writes memory of another process; gives the number of bytes written.
pub fn write_memory(process: u32, address: u64, bytes: &[u8]) -> usize {
    transfer(
        process,
        address,
        bytes.as_ptr().cast_mut(),
        bytes.len(),
        Way::Out,
    )
}

/// The filter as the kernel takes it.
pub fn program() -> Vec<libc::sock_filter> {
    filter::program()
        .into_iter()
        .map(|(code, jt, jf, k)| libc::sock_filter { code, jt, jf, k })
        .collect()
}
