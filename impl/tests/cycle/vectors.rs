//! Reading of golden files.

use serde_json::Value;
use udma::io::{Cursors, Side};
use udma::{Arch, Desc};

use super::machine::Event;

/// Cases of a golden suite.
pub fn cases(suite: &str) -> Vec<Value> {
    let path = format!(
        "{}/../corpora/golden/{suite}.json",
        env!("CARGO_MANIFEST_DIR")
    );
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let mut file: Value = serde_json::from_str(&text).expect("JSON");
    match file["cases"].take() {
        Value::Array(cases) => cases,
        other => panic!("{path}: cases are {other}"),
    }
}

/// A number: decimal, or a hex string.
pub fn number(value: &Value) -> u64 {
    match value {
        Value::String(text) => text
            .strip_prefix("0x")
            .and_then(|digits| u64::from_str_radix(digits, 16).ok())
            .unwrap_or_else(|| panic!("{text} is no number")),
        _ => value
            .as_u64()
            .unwrap_or_else(|| panic!("{value} is no number")),
    }
}

/// A 32-bit number.
pub fn word(value: &Value) -> u32 {
    number(value).try_into().expect("32 bits")
}

/// A return code.
pub fn code(value: &Value) -> i32 {
    value.as_i64().expect("code").try_into().expect("32 bits")
}

/// A list.
pub fn list(value: &Value) -> &[Value] {
    value.as_array().expect("list")
}

/// v2, v3, v4.
pub fn arch(value: &Value) -> Arch {
    let name = value.as_str().expect("architecture");
    Arch::ALL
        .into_iter()
        .find(|arch| arch.short() == name)
        .expect("known architecture")
}

fn side(value: &Value) -> Side {
    match value.as_str() {
        Some("tx") => Side::Tx,
        Some("rx") => Side::Rx,
        _ => panic!("{value} is no ring"),
    }
}

/// An event.
pub fn event(value: &Value) -> Event {
    match value[0].as_str().expect("name") {
        "store" => Event::Store(number(&value[1]), word(&value[2])),
        "mb" => Event::Barrier,
        "w" => Event::Write(
            side(&value[1]),
            number(&value[2]),
            number(&value[3]),
            word(&value[4]),
        ),
        "delay" => Event::Delay(number(&value[1])),
        "poll" => Event::Poll(number(&value[1])),
        "poll_delay_1us" => Event::PollDelay(number(&value[1])),
        "ack" => Event::Ack(side(&value[1]), word(&value[2])),
        other => panic!("event {other}"),
    }
}

/// `[next descriptor, next completion, ring id]`.
pub fn cursors(value: &Value) -> Cursors {
    Cursors {
        next_desc: word(&value[0]),
        next_cdesc: word(&value[1]),
        ring_id: word(&value[2]),
    }
}

/// A descriptor of 32 hex digits.
pub fn desc(value: &Value) -> Desc {
    let digits = value.as_str().expect("hex");
    let mut bytes = [0; 16];
    for (byte, at) in bytes.iter_mut().zip((0..).step_by(2)) {
        *byte = u8::from_str_radix(&digits[at..at + 2], 16).expect("hex");
    }
    Desc::from_bytes(bytes)
}
