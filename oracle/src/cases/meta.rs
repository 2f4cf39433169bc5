//! `meta_ctrl` words taken apart and put together (META-1 to META-3).

use serde_json::{Value, json};

use super::json;
use crate::family::Family;
use crate::law::names::META_CTRL;
use crate::line::Line;
use crate::subject::Subject;
use crate::wire::MetaFields;

/// Takes a word apart and puts the parts together again.
pub struct Meta;

/// Parts by position: lowest bit first, in the order of the table.
#[derive(Clone, Debug, PartialEq)]
pub struct MetaAnswer {
    /// Value of every field.
    pub fields: [u32; 24],
    /// What the right parts are put together to.
    pub encoded: u32,
}

/// Members of the structure, low bits first.
fn values(fields: &MetaFields) -> [u32; 24] {
    let f = fields;
    [
        f.is_last_block,
        f.is_first_block,
        f.block_attribute,
        f.cached_crc_iv_index,
        f.result_byte_swap,
        f.result_bit_swap,
        f.interim_byte_swap,
        f.interim_bit_swap,
        f.source_byte_swap,
        f.source_bit_swap,
        f.init_byte_swap,
        f.init_bit_swap,
        f.validate_crc,
        f.use_stored_crc_iv,
        f.send_crc_result,
        f.store_crc_result,
        f.store_source_crc,
        f.copy_source_data,
        f.op_type,
        f.ssmae_op,
        f.write_barrier,
        f.reserved27,
        f.notification,
        f.reserved31_29,
    ]
}

/// The structure from its members, low bits first.
fn structure(v: &[u32; 24]) -> MetaFields {
    MetaFields {
        is_last_block: v[0],
        is_first_block: v[1],
        block_attribute: v[2],
        cached_crc_iv_index: v[3],
        result_byte_swap: v[4],
        result_bit_swap: v[5],
        interim_byte_swap: v[6],
        interim_bit_swap: v[7],
        source_byte_swap: v[8],
        source_bit_swap: v[9],
        init_byte_swap: v[10],
        init_bit_swap: v[11],
        validate_crc: v[12],
        use_stored_crc_iv: v[13],
        send_crc_result: v[14],
        store_crc_result: v[15],
        store_source_crc: v[16],
        copy_source_data: v[17],
        op_type: v[18],
        ssmae_op: v[19],
        write_barrier: v[20],
        reserved27: v[21],
        notification: v[22],
        reserved31_29: v[23],
    }
}

/// Values of the fields of a word by the table, low bits first.
fn apart(word: u32) -> [u32; 24] {
    let mut out = [0; 24];
    for (value, (_, high, low)) in out.iter_mut().zip(META_CTRL.iter().rev()) {
        *value = (word >> low) & ((1u32 << (high - low + 1)) - 1);
    }
    out
}

impl Family for Meta {
    type Case = u32;
    type Answer = MetaAnswer;
    const NAME: &'static str = "meta";

    fn ask(subject: &dyn Subject, case: &u32) -> Option<MetaAnswer> {
        Some(MetaAnswer {
            fields: values(&subject.meta_decode(*case)?),
            encoded: subject.meta_encode(&structure(&apart(*case)))?,
        })
    }

    fn required(_line: Line, case: &u32) -> Option<MetaAnswer> {
        Some(MetaAnswer {
            fields: apart(*case),
            encoded: *case,
        })
    }

    fn rules(_line: Line, _case: &u32) -> Vec<(&'static str, bool)> {
        ["META-1", "META-2", "META-3"]
            .map(|rule| (rule, false))
            .to_vec()
    }

    fn broken(_line: Line, _case: &u32, want: &MetaAnswer, got: &MetaAnswer) -> Vec<&'static str> {
        let encoded = want.encoded ^ got.encoded;
        let differs = |index: usize| want.fields[index] != got.fields[index];
        let mut rules = Vec::new();
        if differs(20) || encoded & 1 << 26 != 0 {
            rules.push("META-2");
        }
        if differs(22) || encoded & 1 << 28 != 0 {
            rules.push("META-3");
        }
        if rules.is_empty() && want != got {
            rules.push("META-1");
        }
        rules
    }

    fn simpler(case: &u32) -> Vec<u32> {
        (0..32)
            .filter(|bit| case & 1 << bit != 0)
            .map(|bit| case & !(1 << bit))
            .collect()
    }

    fn to_json(case: &u32) -> Value {
        json!({ "meta_ctrl": json::hex((*case).into()) })
    }

    fn from_json(value: &Value) -> Result<u32, String> {
        json::get32(value, "meta_ctrl")
    }

    fn show(_case: &u32, answer: &MetaAnswer) -> Vec<String> {
        META_CTRL
            .iter()
            .rev()
            .zip(answer.fields)
            .map(|((name, _, _), value)| format!("meta_ctrl {name} {value:#x}"))
            .chain([format!("put together {:#010x}", answer.encoded)])
            .collect()
    }
}
