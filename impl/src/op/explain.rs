//! Op words in words: what may have written them, and every field with how sure its name is.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::decode::{decode, decode_descriptor, descriptor_name, field_line, name};
use super::dtype::Dtype;
use crate::desc::Desc;

/// A word1 of a data TX descriptor, line by line: first what it is, then per member of the set its
/// fields, low bits first. Empty where no operation gives these bits.
pub fn word(word: u32) -> Vec<String> {
    let set = decode(word);
    let Some(title) = name(word) else {
        return Vec::new();
    };
    let mut lines = Vec::new();
    lines.push(format!("meta_ctrl {word:#010x}: {title}"));
    for member in &set {
        if set.len() > 1 {
            lines.push(format!("as {}:", member.op.name()));
        }
        for field in member.op.layout() {
            lines.push(format!(
                "{}{}",
                field_line(field, word),
                meaning(field.name, field.read(word))
            ));
        }
        if member.stray != 0 {
            lines.push(format!(
                "      bits {:#010x} have no field in {} (OPC-2)",
                member.stray,
                member.op.name()
            ));
        }
    }
    if set[0].write_barrier {
        lines.push("   26 write_barrier = 0x1 (name c)".into());
    }
    lines
}

/// `: fp32` after a dtype's number.
fn meaning(field: &str, value: u32) -> String {
    if field == "const_dtype" {
        let types: Vec<&str> = Dtype::of_low_bits(value).map(Dtype::name).collect();
        return format!(": {}", types.join(" or "));
    }
    match Dtype::from_number(value) {
        Ok(dtype) if field.ends_with("dtype") => format!(": {}", dtype.name()),
        _ => String::new(),
    }
}

/// A META descriptor: what it is, and each member of the set with its operands. Empty where no
/// operation gives these bits.
pub fn descriptor(desc: &Desc) -> Vec<String> {
    let Some(title) = descriptor_name(desc) else {
        return Vec::new();
    };
    let mut lines = Vec::new();
    lines.push(format!("meta_ctrl {:#010x}: {title}", desc.word1()));
    lines.extend(decode_descriptor(desc).iter().map(|op| format!("{op:?}")));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_with_two_readings() {
        let lines = word(0x020a_a080);
        assert_eq!(lines[0], "meta_ctrl 0x020aa080: add or min/max");
        assert!(
            lines.contains(&"15:12 out_dtype = 0xa (name h): fp32".into()),
            "{lines:?}"
        );
        assert!(
            lines.contains(&"    7 last = 0x1 (name l)".into()),
            "{lines:?}"
        );
        assert!(
            lines.contains(&"      bits 0x0000a000 have no field in min/max (OPC-2)".into()),
            "{lines:?}"
        );
        assert!(word(0).is_empty());
    }

    #[test]
    fn a_constant_of_either_dtype() {
        let lines = word(0x022a_7730);
        assert!(
            lines.contains(&"22:20 const_dtype = 0x2 (name h): int8 or fp32".into()),
            "{lines:?}"
        );
    }
}
