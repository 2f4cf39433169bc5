//! The ioctl surface.

use serde_json::Value;

use super::super::reader::RawCase;
use super::{Counts, recorded};
use crate::cases::abi::{self, Abi, AbiCase};
use crate::cases::json;
use crate::session::Session;

/// What stands in front of every request's name.
const PREFIX: &str = "NEURON_IOCTL_";

/// `ioctl_abi` (ABI).
pub fn ioctl_abi(
    session: &mut Session,
    suite: &str,
    raw: &RawCase,
    counts: &mut Counts,
) -> Result<(), String> {
    let (input, out) = (&raw.input, &raw.output);
    let mut attempt = |case: AbiCase, answer: abi::AbiAnswer| {
        recorded::<Abi>(session, suite, raw, &case, &answer, false);
    };
    match json::get_text(input, "kind")? {
        "request" => {
            let name = request_name(input)?;
            let number = json::get32(out, "request")?;
            let answer = abi::request(
                number,
                json::get_text(out, "dir")?,
                json::get32(out, "type")?,
                json::get32(out, "nr")?,
                json::get32(out, "arg_size")?,
            );
            attempt(AbiCase::Request(name.into()), answer);
            attempt(AbiCase::Number(number), vec![name.into()]);
        }
        "struct" => {
            let fields = json::member(out, "fields")?
                .as_object()
                .ok_or("field \"fields\" is no object")?;
            let mut members = std::collections::BTreeMap::new();
            for (name, place) in fields {
                // A trailing array of variable length has an offset only.
                let size = place
                    .get("size")
                    .map_or(Ok(0), |size| json::number(size, name))?;
                members.insert(name.as_str(), [json::get(place, "offset")?, size]);
            }
            let whole = [json::get(out, "size")?, json::get(out, "align")?];
            let answer = abi::structure(whole, members.into_iter());
            let name = json::get_text(input, "name")?;
            attempt(AbiCase::Structure(name.into()), answer);
        }
        "constant" => {
            let what = json::get_text(input, "what")?;
            let value = json::get_signed(out, "value")?;
            attempt(
                AbiCase::Constant(what.into()),
                vec![format!("value {value}")],
            );
        }
        other => return Err(format!("field \"kind\" is {other:?}, which is not known")),
    }
    counts.replayed += 1;
    Ok(())
}

/// Name of a recorded request, without the common prefix.
pub fn request_name(input: &Value) -> Result<&str, String> {
    let name = json::get_text(input, "name")?;
    name.strip_prefix(PREFIX)
        .ok_or_else(|| format!("field \"name\" is {name:?}: {PREFIX}…"))
}
