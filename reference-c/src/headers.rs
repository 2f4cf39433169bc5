//! The headers that a library is compiled with, as text: a command that compiles one carries them along.

/// The C ABI.
pub const ORACLE: (&str, &str) = ("udma_oracle.h", include_str!("../include/udma_oracle.h"));

/// Stand-ins for the kernel's headers, by their paths below the folder of headers.
pub const KSHIM: [(&str, &str); 17] = [
    ("asm/barrier.h", include_str!("../kshim/asm/barrier.h")),
    ("asm/byteorder.h", include_str!("../kshim/asm/byteorder.h")),
    ("linux/atomic.h", include_str!("../kshim/linux/atomic.h")),
    (
        "linux/bitfield.h",
        include_str!("../kshim/linux/bitfield.h"),
    ),
    ("linux/bits.h", include_str!("../kshim/linux/bits.h")),
    ("linux/bug.h", include_str!("../kshim/linux/bug.h")),
    (
        "linux/build_bug.h",
        include_str!("../kshim/linux/build_bug.h"),
    ),
    (
        "linux/compiler.h",
        include_str!("../kshim/linux/compiler.h"),
    ),
    ("linux/errno.h", include_str!("../kshim/linux/errno.h")),
    ("linux/io.h", include_str!("../kshim/linux/io.h")),
    ("linux/kernel.h", include_str!("../kshim/linux/kernel.h")),
    ("linux/log2.h", include_str!("../kshim/linux/log2.h")),
    ("linux/minmax.h", include_str!("../kshim/linux/minmax.h")),
    ("linux/sched.h", include_str!("../kshim/linux/sched.h")),
    ("linux/slab.h", include_str!("../kshim/linux/slab.h")),
    ("linux/string.h", include_str!("../kshim/linux/string.h")),
    ("linux/types.h", include_str!("../kshim/linux/types.h")),
];

/// What the stand-ins need in one of a library's source files: the running call of each thread.
pub const KSHIM_SOURCE: (&str, &str) = (
    "kshim.c",
    "#include <linux/sched.h>\n\n_Thread_local struct task_struct *kshim_current;\n",
);

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn no_header_of_the_stand_ins_is_left_out() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("kshim");
        let mut found = Vec::new();
        for folder in ["asm", "linux"] {
            for entry in std::fs::read_dir(root.join(folder)).expect("a folder") {
                let name = entry.expect("an entry").file_name();
                found.push(format!("{folder}/{}", name.to_string_lossy()));
            }
        }
        found.sort();
        let known: Vec<&str> = KSHIM.iter().map(|(name, _)| *name).collect();
        assert_eq!(found, known);
    }
}
