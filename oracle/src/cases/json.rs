//! Members of JSON objects in the vector format: numbers, or `"0x…"` strings where 53 bits may not
//! do.

use serde_json::Value;

/// A member.
///
/// # Errors
/// Its name, when it is missing.
pub fn member<'a>(value: &'a Value, name: &str) -> Result<&'a Value, String> {
    value
        .get(name)
        .ok_or_else(|| format!("field {name:?} is missing"))
}

/// A number of at most 64 bits, in either form.
///
/// # Errors
/// The name and the value, when it is neither.
pub fn number(value: &Value, name: &str) -> Result<u64, String> {
    let parsed = match value {
        Value::Number(number) => number.as_u64(),
        Value::String(text) => text
            .strip_prefix("0x")
            .and_then(|digits| u64::from_str_radix(digits, 16).ok()),
        _ => None,
    };
    parsed.ok_or_else(|| {
        format!("field {name:?} is {value}: a number from 0 or a \"0x…\" string of up to 64 bits")
    })
}

/// A member that is a number.
///
/// # Errors
/// As [`member`] and [`number`].
pub fn get(value: &Value, name: &str) -> Result<u64, String> {
    number(member(value, name)?, name)
}

/// A member that is a number of at most 32 bits.
///
/// # Errors
/// As [`get`], and the bound.
pub fn get32(value: &Value, name: &str) -> Result<u32, String> {
    let wide = get(value, name)?;
    u32::try_from(wide).map_err(|_| format!("field {name:?} is {wide}: at most {}", u32::MAX))
}

/// A member that is a signed number of 32 bits.
///
/// # Errors
/// The name, the value, the bound.
pub fn get_signed(value: &Value, name: &str) -> Result<i32, String> {
    signed(member(value, name)?, name)
}

/// A signed number of 32 bits.
///
/// # Errors
/// The name, the value, the bound.
pub fn signed(value: &Value, name: &str) -> Result<i32, String> {
    value
        .as_i64()
        .and_then(|number| i32::try_from(number).ok())
        .ok_or_else(|| format!("field {name:?} is {value}: a whole number of 32 bits"))
}

/// A flag: `true`, `false`, 0 or 1.
///
/// # Errors
/// The name and the value.
pub fn flag(value: &Value, name: &str) -> Result<bool, String> {
    match value {
        Value::Bool(set) => Ok(*set),
        Value::Number(number) if number.as_u64() == Some(0) => Ok(false),
        Value::Number(number) if number.as_u64() == Some(1) => Ok(true),
        _ => Err(format!("field {name:?} is {value}: true or false")),
    }
}

/// A member that is a flag.
///
/// # Errors
/// As [`member`] and [`flag`].
pub fn get_flag(value: &Value, name: &str) -> Result<bool, String> {
    flag(member(value, name)?, name)
}

/// A member that is a text.
///
/// # Errors
/// The name and the value.
pub fn get_text<'a>(value: &'a Value, name: &str) -> Result<&'a str, String> {
    let found = member(value, name)?;
    found
        .as_str()
        .ok_or_else(|| format!("field {name:?} is {found}: a string"))
}

/// A member that is a list.
///
/// # Errors
/// The name and the value.
pub fn get_list<'a>(value: &'a Value, name: &str) -> Result<&'a [Value], String> {
    let found = member(value, name)?;
    found
        .as_array()
        .map(Vec::as_slice)
        .ok_or_else(|| format!("field {name:?} is {found}: a list"))
}

/// Architecture number of a member `v2`, `v3` or `v4`.
///
/// # Errors
/// The value.
pub fn get_arch(value: &Value) -> Result<u8, String> {
    match get_text(value, "arch")? {
        "v2" => Ok(2),
        "v3" => Ok(3),
        "v4" => Ok(4),
        other => Err(format!("field \"arch\" is {other:?}: v2, v3 or v4")),
    }
}

/// Driver number of an optional member; the recorded version when it is missing.
///
/// # Errors
/// The value.
pub fn get_driver(value: &Value) -> Result<u8, String> {
    if value.get("driver").is_none() {
        return Ok(crate::line::DRIVERS[0].0);
    }
    let name = get_text(value, "driver")?;
    crate::line::driver_number(name).ok_or_else(|| {
        let known = crate::line::releases().join(", ");
        format!("field \"driver\" is {name:?}: one of {known}")
    })
}

/// `"0x…"`.
pub fn hex(value: u64) -> Value {
    Value::String(format!("{value:#x}"))
}
