//! Names of vrings: 256 bytes, NUL-terminated (VRNG-1).

use core::fmt;

/// Bytes of a name with its NUL.
pub const NAME_BYTES: usize = 256;

/// A name of at most 255 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Name {
    bytes: [u8; NAME_BYTES],
}

impl Name {
    /// Cuts what does not fit, as the C string functions do.
    pub fn new(text: &str) -> Self {
        let mut name = Self {
            bytes: [0; NAME_BYTES],
        };
        let mut end = 0;
        name.append(&mut end, text.as_bytes());
        name
    }

    /// `<set>_<index>` (VRNG-6).
    pub fn of_set(set: &str, index: usize) -> Self {
        let mut name = Self::new(set);
        let mut end = name.as_bytes().len();
        let joint = if crate::fault::mutant(209) {
            b"-"
        } else {
            b"_"
        };
        name.append(&mut end, joint);
        if index >= 10 {
            name.append(&mut end, &[b'0' + (index / 10 % 10) as u8]);
        }
        name.append(&mut end, &[b'0' + (index % 10) as u8]);
        name
    }

    fn append(&mut self, end: &mut usize, text: &[u8]) {
        let text = text.split(|&byte| byte == 0).next().unwrap_or_default();
        let fits = text.len().min(NAME_BYTES - 1 - *end);
        self.bytes[*end..*end + fits].copy_from_slice(&text[..fits]);
        *end += fits;
    }

    /// The text, without the NUL.
    pub fn as_bytes(&self) -> &[u8] {
        self.bytes
            .split(|&byte| byte == 0)
            .next()
            .unwrap_or_default()
    }

    /// All 256 bytes; the rest is zero.
    pub const fn raw(&self) -> &[u8; NAME_BYTES] {
        &self.bytes
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A name may be cut inside a character.
        for chunk in self.as_bytes().utf8_chunks() {
            f.write_str(chunk.valid())?;
            if !chunk.invalid().is_empty() {
                f.write_str("\u{fffd}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{self}\"")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn names_are_cut_at_255_bytes() {
        let long = "x".repeat(300);
        assert_eq!(Name::new(&long).as_bytes().len(), 255);
        assert_eq!(Name::of_set(&long, 3), Name::new(&long));
        assert_eq!(Name::of_set(&long[..254], 15).as_bytes()[254], b'_');
        assert_eq!(Name::of_set("load", 15).to_string(), "load_15");
        // 127 times two bytes and one more: the last character is cut in half.
        let cut = Name::new(&"é".repeat(128)).to_string();
        assert!(cut.ends_with("é\u{fffd}"));
    }
}
