//! The filter: which system calls are handed to the supervisor, as raw BPF.

/// Instruction: code, jump if true, jump if false, operand.
pub type Instruction = (u16, u8, u8, u32);

const LOAD: u16 = 0x20; // BPF_LD | BPF_W | BPF_ABS
const JUMP_EQUAL: u16 = 0x15; // BPF_JMP | BPF_JEQ | BPF_K
const AND: u16 = 0x54; // BPF_ALU | BPF_AND | BPF_K
const RETURN: u16 = 0x06; // BPF_RET | BPF_K

const ALLOW: u32 = 0x7fff_0000;
const NOTIFY: u32 = 0x7fc0_0000;

/// Offsets in `struct seccomp_data`: number, architecture, low halves of arguments.
const NUMBER: u32 = 0;
const ARCHITECTURE: u32 = 4;
const fn low(argument: u32) -> u32 {
    16 + argument * 8
}

#[cfg(target_arch = "x86_64")]
const NATIVE: u32 = 0xc000_003e;
#[cfg(target_arch = "aarch64")]
const NATIVE: u32 = 0xc000_00b7;

/// Calls that take a path, and the one that asks what a descriptor is.
#[cfg(target_arch = "x86_64")]
const PATHS: [libc::c_long; 11] = [
    libc::SYS_open,
    libc::SYS_openat,
    libc::SYS_openat2,
    libc::SYS_stat,
    libc::SYS_lstat,
    libc::SYS_newfstatat,
    libc::SYS_statx,
    libc::SYS_access,
    libc::SYS_faccessat,
    libc::SYS_faccessat2,
    libc::SYS_fstat,
];
#[cfg(target_arch = "aarch64")]
const PATHS: [libc::c_long; 7] = [
    libc::SYS_openat,
    libc::SYS_openat2,
    libc::SYS_newfstatat,
    libc::SYS_statx,
    libc::SYS_faccessat,
    libc::SYS_faccessat2,
    libc::SYS_fstat,
];

/// Type character of the driver's requests (ABI-3), where it stands in a request.
const KIND: u32 = 0x4e00;
const KIND_MASK: u32 = 0xff00;

/// Requests of other types never come: the file in memory answers them itself, with ENOTTY. Nor do
/// mappings without a file.
pub fn program() -> Vec<Instruction> {
    let mut code = vec![
        (LOAD, 0, 0, ARCHITECTURE),
        (JUMP_EQUAL, 1, 0, NATIVE),
        (RETURN, 0, 0, ALLOW),
        (LOAD, 0, 0, NUMBER),
        // ioctl: by the type of the request.
        (JUMP_EQUAL, 0, 5, libc::SYS_ioctl as u32),
        (LOAD, 0, 0, low(1)),
        (AND, 0, 0, KIND_MASK),
        (JUMP_EQUAL, 0, 1, KIND),
        (RETURN, 0, 0, NOTIFY),
        (RETURN, 0, 0, ALLOW),
        // mmap: with a file.
        (JUMP_EQUAL, 0, 4, libc::SYS_mmap as u32),
        (LOAD, 0, 0, low(4)),
        (JUMP_EQUAL, 0, 1, u32::MAX),
        (RETURN, 0, 0, ALLOW),
        (RETURN, 0, 0, NOTIFY),
    ];
    for number in PATHS {
        code.push((JUMP_EQUAL, 0, 1, number as u32));
        code.push((RETURN, 0, 0, NOTIFY));
    }
    code.push((RETURN, 0, 0, ALLOW));
    code
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs the filter over a call.
    fn verdict(architecture: u32, number: libc::c_long, args: [u64; 6]) -> u32 {
        let (code, mut at, mut value) = (program(), 0, 0u32);
        loop {
            let (op, yes, no, k) = code[at];
            at += 1;
            match op {
                LOAD => {
                    value = match k {
                        NUMBER => number as u32,
                        ARCHITECTURE => architecture,
                        place => args[(place as usize - 16) / 8] as u32,
                    }
                }
                AND => value &= k,
                JUMP_EQUAL => at += usize::from(if value == k { yes } else { no }),
                _ => return k,
            }
        }
    }

    #[test]
    fn only_what_may_be_ours_is_handed_over() {
        let with = |at: usize, value: u64| {
            let mut args = [0; 6];
            args[at] = value;
            args
        };
        for (number, args, handed) in [
            (libc::SYS_ioctl, with(1, 0x8008_4e23), true),
            (libc::SYS_ioctl, with(1, 0x5401), false),
            (libc::SYS_mmap, with(4, 3), true),
            (libc::SYS_mmap, with(4, u64::MAX), false),
            (libc::SYS_mmap, with(4, 0xffff_ffff), false),
            (libc::SYS_openat, [0; 6], true),
            (libc::SYS_statx, [0; 6], true),
            (libc::SYS_fstat, [0; 6], true),
            (libc::SYS_read, [0; 6], false),
            (libc::SYS_close, [0; 6], false),
        ] {
            let wanted = if handed { NOTIFY } else { ALLOW };
            assert_eq!(verdict(NATIVE, number, args), wanted, "{number} {args:x?}");
            assert_eq!(verdict(0x4000_0003, number, args), ALLOW);
        }
    }
}
