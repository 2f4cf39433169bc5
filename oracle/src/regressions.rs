//! Cases that failed once, kept as files and replayed first.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::cases::{
    abi::Abi, bar0, bits::Bits, cce, count::Count, crc::Crc, cycle, descriptor::Descriptor, engine,
    iofic, layout, meta::Meta, names::Names, opword, packet::Packet, pair::Pair, queue::Queue,
    rings::Rings, start::Start, state::State, transpose, vring,
};
use crate::family::Family;
use crate::line::Line;
use crate::session::{Regression, Session};

/// Format tag of a kept case.
pub const FORMAT: &str = "udma-regression/1";

/// Why a kept case cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RegressionError {
    /// Folder or file cannot be read or written.
    #[error("{}: {source}", file.display())]
    Io {
        /// The file.
        file: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Not JSON.
    #[error("{}:{}:{}: {source}", file.display(), source.line(), source.column())]
    Syntax {
        /// The file.
        file: PathBuf,
        /// Why.
        source: serde_json::Error,
    },
    /// Not a kept case.
    #[error("{}: {reason}", file.display())]
    Content {
        /// The file.
        file: PathBuf,
        /// Field, value and bound.
        reason: String,
    },
}

/// Replays every kept case of a folder, in the order of the names.
///
/// # Errors
/// A file that is not a kept case, or whose kept answer is not what the rules give.
pub fn replay(session: &mut Session, folder: &Path) -> Result<u64, RegressionError> {
    let io = |source| RegressionError::Io {
        file: folder.into(),
        source,
    };
    let files = crate::folder::files(folder, "json").map_err(io)?;
    for file in &files {
        replay_file(session, file)?;
    }
    Ok(files.len() as u64)
}

fn replay_file(session: &mut Session, file: &Path) -> Result<(), RegressionError> {
    let text = std::fs::read_to_string(file).map_err(|source| RegressionError::Io {
        file: file.into(),
        source,
    })?;
    let value: Value = serde_json::from_str(&text).map_err(|source| RegressionError::Syntax {
        file: file.into(),
        source,
    })?;
    let content = |reason: String| RegressionError::Content {
        file: file.into(),
        reason,
    };
    let name = file
        .file_name()
        .map_or_else(String::new, |name| name.to_string_lossy().into());
    try_kept(session, &value, &format!("regressions/{name}")).map_err(content)
}

/// Puts a kept case to the subjects of a session; `origin` says where it is from.
///
/// # Errors
/// Field, value and bound of what is no kept case, or whose kept answer is not what the rules give.
pub fn try_kept(session: &mut Session, value: &Value, origin: &str) -> Result<(), String> {
    let text_of = |name: &str| crate::cases::json::get_text(value, name);
    if text_of("format")? != FORMAT {
        return Err(format!(
            "field \"format\" is {}: {FORMAT:?}",
            value["format"]
        ));
    }
    let family = text_of("family")?;
    let replay: Replay = match family {
        "pair" => replay_as::<Pair>,
        "packet" => replay_as::<Packet>,
        "crc" => replay_as::<Crc>,
        "descriptor" => replay_as::<Descriptor>,
        "meta" => replay_as::<Meta>,
        "bits" => replay_as::<Bits>,
        "names" => replay_as::<Names>,
        "desc_count" => replay_as::<Count>,
        "ring_script" => replay_as::<Rings>,
        "queue_init" => replay_as::<Queue>,
        "copy_start" => replay_as::<Start>,
        "queue_state" => replay_as::<State>,
        "engine_init" => replay_as::<engine::Init>,
        "engine_state" => replay_as::<engine::State>,
        "set_state" => replay_as::<engine::SetState>,
        "iofic" => replay_as::<iofic::Iofic>,
        "iofic_causes" => replay_as::<iofic::Causes>,
        "bar0_block" => replay_as::<bar0::Gate>,
        "ioctl_abi" => replay_as::<Abi>,
        "register_map" => replay_as::<layout::Layout>,
        "states" => replay_as::<crate::cases::states::States>,
        other => compute(other)
            .or_else(|| ring_cycle(other))
            .ok_or_else(|| format!("field \"family\" is {other:?}, which is not known"))?,
    };
    replay(session, value, origin)
}

type Replay = fn(&mut Session, &Value, &str) -> Result<(), String>;

/// Families of compute descriptors and virtual rings.
fn compute(family: &str) -> Option<Replay> {
    Some(match family {
        "word_split" => replay_as::<opword::SplitWord>,
        "word_transpose" => replay_as::<opword::TransposeWordOf>,
        "word_replication" => replay_as::<opword::ReplicationWord>,
        "word_add" => replay_as::<opword::AddWord>,
        "word_min_max" => replay_as::<opword::MinMaxWord>,
        "word_fma" => replay_as::<opword::FmaWord>,
        "word_cce_ext" => replay_as::<opword::CceExtWord>,
        "word_gradient" => replay_as::<opword::GradientWord>,
        "desc_fma" => replay_as::<opword::FmaFront>,
        "desc_min_max" => replay_as::<opword::MinMaxFront>,
        "desc_seed_init" => replay_as::<opword::SeedFront>,
        "desc_replication" => replay_as::<opword::ReplicationFront>,
        "desc_gradient" => replay_as::<opword::GradientFront>,
        "op_decode" => replay_as::<opword::WordSet>,
        "desc_decode" => replay_as::<opword::FrontSet>,
        "dtype" => replay_as::<cce::Dtype>,
        "remap" => replay_as::<cce::Remap>,
        "combo" => replay_as::<cce::Combo>,
        "reduction" => replay_as::<cce::Reduction>,
        "transpose" => replay_as::<transpose::Transpose>,
        "transpose_name" => replay_as::<transpose::Name>,
        "transpose_window" => replay_as::<transpose::Window>,
        "transpose_flush" => replay_as::<transpose::FlushPair>,
        "vring" => replay_as::<vring::Vring>,
        "vring_run" => replay_as::<vring::Run>,
        "vring_layout" => replay_as::<vring::Layout>,
        "vring_set" => replay_as::<vring::Set>,
        "ring_limit" => replay_as::<vring::RingLimit>,
        _ => return None,
    })
}

/// Families of the ring cycle.
fn ring_cycle(family: &str) -> Option<Replay> {
    Some(match family {
        "cycle" => replay_as::<cycle::Program>,
        "cycle_seeded" => replay_as::<cycle::Seeded>,
        "wait_time" => replay_as::<cycle::question::Of<cycle::question::Estimate>>,
        "host_place" => replay_as::<cycle::question::Of<cycle::question::Place>>,
        "zerocopy_offered" => replay_as::<cycle::question::Of<cycle::question::Offered>>,
        "shadow_script" => replay_as::<cycle::question::Of<cycle::shadow::Script>>,
        "shadow_commit" => replay_as::<cycle::question::Of<cycle::shadow::Commits>>,
        "bare" => replay_as::<cycle::bare::Bare>,
        _ => return None,
    })
}

fn replay_as<F: Family>(session: &mut Session, value: &Value, origin: &str) -> Result<(), String> {
    let case = F::from_json(crate::cases::json::member(value, "in")?)?;
    for line in [Line::Kernel, Line::Hal] {
        let kept = value["expect"].get(line.name());
        let required = F::required(line, &case).map(|want| F::show(&case, &want));
        if let (Some(kept), Some(required)) = (kept, required)
            && *kept != serde_json::json!(required)
        {
            return Err(format!(
                "field \"expect\" of the {} line is {kept}, but the rules give {required:?}",
                line.name()
            ));
        }
    }
    session.try_case::<F>(&|| origin.into(), &case, None);
    Ok(())
}

/// Writes new cases into a folder, one file each, named by rule and content; gives the files.
///
/// # Errors
/// The folder cannot be written.
pub fn save(folder: &Path, cases: &[Regression]) -> Result<Vec<PathBuf>, RegressionError> {
    let mut written = Vec::new();
    for case in cases {
        let text = format!("{:#}\n", case.content);
        let tag = text.bytes().fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        let name = format!("{}-{}-{:08x}.json", case.rule, case.family, tag as u32);
        let file = folder.join(name);
        if file.exists() {
            continue;
        }
        let io = |source| RegressionError::Io {
            file: file.clone(),
            source,
        };
        std::fs::create_dir_all(folder).map_err(io)?;
        let partial = file.with_extension("partial");
        std::fs::write(&partial, &text).map_err(io)?;
        std::fs::rename(&partial, &file).map_err(io)?;
        written.push(file);
    }
    Ok(written)
}
