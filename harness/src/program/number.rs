//! Numbers and places as they stand in a program.

use std::fmt;
use std::str::FromStr;

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A 64-bit number: a JSON number, or text such as `"0xfffffffffffffff0"`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Number(pub u64);

/// Largest number that JSON readers agree on.
const EXACT: u64 = 1 << 53;

impl FromStr for Number {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = match text.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16),
            None => text.parse(),
        };
        number
            .map(Self)
            .map_err(|_| format!("{text:?} is not a number of at most 64 bits"))
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            small @ 0..=0xffff => write!(f, "{small}"),
            large => write!(f, "{large:#x}"),
        }
    }
}

impl From<u64> for Number {
    fn from(number: u64) -> Self {
        Self(number)
    }
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        if self.0 < EXACT {
            to.serialize_u64(self.0)
        } else {
            to.collect_str(self)
        }
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Either;
        impl Visitor<'_> for Either {
            type Value = Number;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number of 0 to 2^64-1, or the same as text with 0x")
            }

            fn visit_u64<E: Error>(self, number: u64) -> Result<Number, E> {
                Ok(Number(number))
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Number, E> {
                text.parse().map_err(E::custom)
            }
        }
        from.deserialize_any(Either)
    }
}

/// A place: a byte of a buffer or of a ring's memory by name, or an address as it is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum At {
    /// `src`, `src+0x10`, `q.tx+16`; the offset may lie outside.
    Named(String, i64),
    /// `0xfffffffffffffff0`.
    Address(u64),
}

impl At {
    /// The first byte of something.
    pub fn start(name: &str) -> Self {
        Self::Named(name.into(), 0)
    }

    /// `by` bytes on.
    #[must_use]
    pub fn plus(&self, by: u64) -> Self {
        match self {
            Self::Named(name, offset) => Self::Named(name.clone(), offset.wrapping_add(by as i64)),
            Self::Address(address) => Self::Address(address.wrapping_add(by)),
        }
    }

    /// Name and offset; none for an address.
    pub fn named(&self) -> Option<(&str, i64)> {
        match self {
            Self::Named(name, offset) => Some((name, *offset)),
            Self::Address(_) => None,
        }
    }
}

impl FromStr for At {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.starts_with(|first: char| first.is_ascii_digit()) {
            return text.parse().map(|Number(address)| Self::Address(address));
        }
        let (name, sign, rest) = match text.find(['+', '-']) {
            None => (text, 1, "0"),
            Some(at) if text.as_bytes()[at] == b'+' => (&text[..at], 1, &text[at + 1..]),
            Some(at) => (&text[..at], -1, &text[at + 1..]),
        };
        let by: Number = rest.parse()?;
        let inside =
            i64::try_from(by.0).map_err(|_| format!("{text:?}: the offset is beyond 2^63-1"))?;
        if name.is_empty() {
            return Err(format!("{text:?}: a place begins with a name"));
        }
        Ok(Self::Named(name.into(), sign * inside))
    }
}

impl From<&str> for At {
    /// # Panics
    /// If the text is no place: for programs written in Rust.
    fn from(text: &str) -> Self {
        text.parse().unwrap_or_else(|error| panic!("{error}"))
    }
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Named(name, 0) => f.write_str(name),
            Self::Named(name, by @ 1..) => write!(f, "{name}+{}", Number(*by as u64)),
            Self::Named(name, by) => write!(f, "{name}-{}", Number(by.unsigned_abs())),
            Self::Address(address) => write!(f, "{address:#x}"),
        }
    }
}

impl Serialize for At {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for At {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        text.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_read_back() {
        for text in [
            "src",
            "src+4",
            "q.tx+0x10000",
            "dst-16",
            "0xfffffffffffffff0",
        ] {
            assert_eq!(At::from(text).to_string(), text);
        }
        for text in [
            "",
            "+4",
            "src+",
            "src+0x",
            "0x10000000000000000",
            "src+0xffffffffffffffff",
        ] {
            assert!(text.parse::<At>().is_err(), "{text}");
        }
    }

    #[test]
    fn numbers_read_back() {
        for number in [0, 1, EXACT - 1, EXACT, u64::MAX] {
            let text = serde_json::to_string(&Number(number)).unwrap();
            assert_eq!(serde_json::from_str::<Number>(&text).unwrap().0, number);
        }
        assert!(serde_json::from_str::<Number>("-1").is_err());
        assert!(serde_json::from_str::<Number>("\"0y1\"").is_err());
    }
}
