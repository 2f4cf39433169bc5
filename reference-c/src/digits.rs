//! A descriptor as text: 32 hex digits in memory order.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::abi::udma_desc;

impl udma_desc {
    /// 32 hex digits in memory order.
    pub fn hex(&self) -> String {
        use std::fmt::Write as _;
        self.word.iter().flat_map(|word| word.to_le_bytes()).fold(
            String::new(),
            |mut text, byte| {
                let _ = write!(text, "{byte:02x}");
                text
            },
        )
    }

    /// The inverse of [`udma_desc::hex`]; none unless 32 hex digits.
    pub fn from_hex(text: &str) -> Option<Self> {
        if text.len() != 32 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        let mut desc = Self::default();
        for (index, word) in desc.word.iter_mut().enumerate() {
            let digits = &text[index * 8..index * 8 + 8];
            *word = u32::from_str_radix(digits, 16).ok()?.swap_bytes();
        }
        Some(desc)
    }
}

impl Serialize for udma_desc {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.hex())
    }
}

impl<'de> Deserialize<'de> for udma_desc {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::from_hex(&text)
            .ok_or_else(|| D::Error::custom(format!("{text:?} is no descriptor: 32 hex digits")))
    }
}
