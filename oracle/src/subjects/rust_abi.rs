//! The ioctl surface of the Rust implementation, by names.

use udma::abi::request::{self, Dir, REQUESTS};
use udma::abi::{self, BATCH, QueueType, async_handle};
use udma::vring::pring::PringType;

use crate::subject::ops::{Request, Structure};

/// A request by its name.
pub(super) fn request(name: &str) -> Option<Request> {
    let request = REQUESTS.iter().find(|request| request.name == name)?;
    Some(Request {
        number: request.number(),
        dir: request.dir().name().into(),
        kind: request.kind(),
        nr: request.nr(),
        arg_size: request.arg_size(),
    })
}

/// The name of a request's number.
pub(super) fn request_name(number: u32) -> Option<String> {
    request::Request::of(number).map(|request| request.name.into())
}

/// A number of its parts.
pub(super) fn compose(dir: u32, size: u32, nr: u32) -> u32 {
    let dir = match dir {
        0 => Dir::None,
        1 => Dir::Write,
        2 => Dir::Read,
        _ => Dir::ReadWrite,
    };
    request::compose(dir, size, nr)
}

/// Layout of a structure by its name.
pub(super) fn structure(name: &str) -> Option<Structure> {
    let layout = abi::layouts().find(|layout| layout.name == name)?;
    Some(Structure {
        size: layout.size as u64,
        align: layout.align as u64,
        members: layout
            .members
            .iter()
            .map(|member| {
                let place = [member.offset as u64, member.size as u64];
                (member.name.to_string(), place)
            })
            .collect(),
    })
}

/// Types of a pring (ABI-4).
pub(super) fn pring_type(what: &str) -> Option<i64> {
    match what {
        "queue type tx" => Some(PringType::TX.0.into()),
        "queue type rx" => Some(PringType::RX.0.into()),
        _ => None,
    }
}

/// A constant by what it is.
pub(super) fn constant(what: &str) -> Option<i64> {
    match what {
        "queue type tx" => Some(QueueType::Tx.number().into()),
        "queue type rx" => Some(QueueType::Rx.number().into()),
        "queue type completion" => Some(QueueType::Completion.number().into()),
        "async handle none" => Some(async_handle::NONE.into()),
        "async handle sync" => Some(async_handle::SYNC.into()),
        "async handle 1" => Some(async_handle::FIRST.into()),
        "async handle 2" => Some(async_handle::SECOND.into()),
        "most queues in a batch init" => Some(BATCH as i64),
        _ => None,
    }
}
