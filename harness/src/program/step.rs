//! Steps of a program.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use super::script::Authored;
use super::{Arch, At, Fill, Number, is_default};

/// One step: what is done, and the code that it must give.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What is done.
    pub op: Op,
    /// Code of the call: 0, a negative errno, or the positive number of bytes that a call could not
    /// copy. Of the calls that one step makes it is the first that is not 0.
    pub code: i64,
    /// Rules that a difference at this step is blamed on; those of the program without them.
    pub rules: Vec<String>,
}

/// Ordering mode of a pair or packet (BARR-1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// No ordering.
    #[default]
    None,
    /// Data memory barrier.
    Dmb,
    /// Write barrier.
    WriteBarrier,
    /// Strong-ordered write.
    Sow,
}

impl Mode {
    /// Its number (BARR-1).
    pub const fn number(self) -> i32 {
        self as i32
    }
}

/// Side of a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// Reads sources.
    Tx,
    /// Writes destinations.
    Rx,
}

impl Side {
    /// `tx` or `rx`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tx => "tx",
            Self::Rx => "rx",
        }
    }
}

/// One block of a packet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Block {
    /// Source.
    pub src: At,
    /// Destination.
    pub dst: At,
    /// Bytes, 1 to 65536.
    pub size: Number,
}

/// A descriptor word for word.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Raw {
    /// word0; the ring's phase is ORed in unless `phase` says otherwise.
    pub word0: Number,
    /// word1.
    pub word1: Number,
    /// Pointer.
    pub pointer: At,
    /// Phase in place of the ring's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase: Option<u32>,
}

/// What a step does. A step that is given a name by `as` puts what it saw under that name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case", deny_unknown_fields)]
pub enum Op {
    /// Initialises the queue of a ring; sizes other than the ring's own may be asked for.
    Init {
        /// Ring.
        ring: String,
        /// Descriptors of TX.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tx: Option<u32>,
        /// Descriptors of RX.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rx: Option<u32>,
        /// Queue of the engine in place of the ring's: refused ones only.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        queue: Option<u32>,
        /// Engine in place of the ring's: refused ones only.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        engine: Option<u32>,
    },
    /// Initialises the queues of rings in one call, entries in order.
    InitBatch {
        /// Rings.
        rings: Vec<String>,
        /// Count given to the call in place of the number of rings: 256 or more, which is refused.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        count: Option<u32>,
    },
    /// Stages pairs of at most 65536 bytes; the mode goes on the last of them.
    Copy {
        /// Ring.
        ring: String,
        /// Source.
        src: At,
        /// Destination.
        dst: At,
        /// Bytes, from 1 on.
        size: Number,
        /// Ordering mode.
        #[serde(default, skip_serializing_if = "is_default")]
        mode: Mode,
        /// Interrupt on completion.
        #[serde(default, skip_serializing_if = "is_default")]
        interrupt: bool,
    },
    /// Stages a packet of several blocks (BLDR-9).
    Packet {
        /// Ring.
        ring: String,
        /// Blocks, in order.
        blocks: Vec<Block>,
        /// Ordering mode.
        #[serde(default, skip_serializing_if = "is_default")]
        mode: Mode,
    },
    /// Authors a virtual ring, dumps it (DUMP) and stages both halves at the start of a ring that
    /// begins: its next slot is 0 and its phase 1 (XFER-1). A script that is refused, a dump that
    /// does not fit and a ring that does not begin give -22 and stage nothing.
    Vring {
        /// Ring.
        ring: String,
        /// What is put on the virtual ring, in order.
        script: Vec<Authored>,
        /// Descriptors of each half, the rest of them no-ops (DUMP-3); as many as there are without
        /// it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        padded: Option<u32>,
        /// What the no-ops copy from and to: 4 bytes.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        scratch: Option<At>,
    },
    /// Stages descriptors word for word.
    Raw {
        /// Ring.
        ring: String,
        /// TX descriptors.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        tx: Vec<Raw>,
        /// RX descriptors.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        rx: Vec<Raw>,
    },
    /// Arms the ring's completion buffer `RING.marker` and stages the marker pair (MARK-1).
    Marker {
        /// Ring.
        ring: String,
        /// Ordering mode of the marker.
        #[serde(default, skip_serializing_if = "is_default")]
        mode: Mode,
    },
    /// Starts what was staged since the last doorbell, or the numbers given.
    Doorbell {
        /// Ring.
        ring: String,
        /// TX descriptors.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        tx: Option<u32>,
        /// RX descriptors.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rx: Option<u32>,
    },
    /// Looks at the marker until it is there, and clears it (MARK-3).
    Wait {
        /// Ring.
        ring: String,
        /// Whether it must come.
        #[serde(default = "done", skip_serializing_if = "is_done")]
        comes: bool,
    },
    /// Acknowledges what was rung since the last time, or the number given.
    Ack {
        /// Ring.
        ring: String,
        /// Descriptors.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        count: Option<u32>,
    },
    /// The driver's fill.
    Memset {
        /// First byte.
        at: At,
        /// Value; its low byte counts.
        value: u32,
        /// Bytes.
        size: Number,
    },
    /// The driver's copy.
    DriverCopy {
        /// Source.
        src: At,
        /// Destination.
        dst: At,
        /// Bytes.
        size: Number,
    },
    /// The driver's copy that is waited for later.
    AsyncCopy {
        /// Source.
        src: At,
        /// Destination.
        dst: At,
        /// Bytes.
        size: Number,
        /// Handle before this one: -1 for none.
        previous: i32,
        /// Handle that must be given.
        handle: i32,
    },
    /// Waits for a copy by its handle.
    AsyncWait {
        /// Source of that copy.
        src: At,
        /// Destination of that copy.
        dst: At,
        /// Handle.
        handle: i32,
    },
    /// Fills a range through the driver.
    Write {
        /// First byte.
        at: At,
        /// Pattern.
        fill: Fill,
        /// Bytes.
        size: Number,
    },
    /// Reads a range through the driver.
    Read {
        /// First byte.
        at: At,
        /// Bytes.
        size: Number,
        /// Name.
        r#as: String,
    },
    /// Reads both rings' state back (REGS-2).
    State {
        /// Ring.
        ring: String,
        /// Name.
        r#as: String,
    },
    /// Copies descriptors out of a ring.
    CopyOut {
        /// Ring.
        ring: String,
        /// Side.
        side: Side,
        /// First slot.
        start: u32,
        /// Descriptors.
        count: u32,
        /// Name.
        r#as: String,
    },
    /// Reads an engine's state (REGS-3).
    EngineState {
        /// Ring whose engine it is.
        ring: String,
        /// Name.
        r#as: String,
    },
    /// Asks an engine for a state (REGS-5).
    SetState {
        /// Ring whose engine it is.
        ring: String,
        /// State.
        state: u32,
    },
    /// Asks for what is known of a buffer's memory (DEV-19).
    Info {
        /// Buffer.
        buffer: String,
        /// Name.
        r#as: String,
    },
    /// Allocates memory that must be refused.
    Alloc {
        /// Bytes.
        size: Number,
        /// Host memory.
        #[serde(default, skip_serializing_if = "is_default")]
        host: bool,
        /// Alignment.
        #[serde(default, skip_serializing_if = "is_default")]
        align: Number,
        /// Channel.
        #[serde(default, skip_serializing_if = "is_default")]
        channel: u32,
        /// Core.
        #[serde(default, skip_serializing_if = "is_default")]
        core: u32,
    },
    /// Writes a register of a ring's queue block through BAR0.
    BarWrite {
        /// Ring.
        ring: String,
        /// Side.
        side: Side,
        /// Offset in the block.
        register: Number,
        /// Value.
        value: Number,
    },
    /// A request number with a block of zeroes for an argument.
    Request {
        /// All 32 bits.
        number: Number,
    },
    /// Descriptors copied to a place in a ring's memory, as they are.
    CopyDescriptors {
        /// Ring.
        ring: String,
        /// Side.
        side: Side,
        /// First slot.
        slot: Number,
        /// Descriptors.
        descriptors: Vec<Raw>,
        /// Times over.
        #[serde(default = "once", skip_serializing_if = "is_once")]
        times: u32,
        /// One more behind them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        last: Option<Raw>,
        /// Queue type in place of the side's.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        queue_type: Option<u32>,
    },
    /// Steps over and over.
    Repeat {
        /// Times.
        times: u32,
        /// Steps.
        steps: Vec<Step>,
    },
}

fn done() -> bool {
    true
}

fn once() -> u32 {
    1
}

#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_done(comes: &bool) -> bool {
    *comes
}

#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_once(times: &u32) -> bool {
    *times == 1
}

impl Op {
    /// Whether it is an allocation with arguments that no device of an architecture takes, whatever
    /// memory it has (DEV-9).
    pub(crate) fn is_invalid_alloc(&self, arch: Arch) -> bool {
        let Self::Alloc {
            size,
            host,
            align,
            channel,
            core,
        } = self
        else {
            return false;
        };
        size.0 > i64::MAX as u64
            || *host && align.0 != 0
            || align.0 > i32::MAX as u64
            || !*host && *channel >= arch.channels()
            || *core >= 8
    }

    /// The name of the operation as it stands in a program.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Init { .. } => "init",
            Self::InitBatch { .. } => "init_batch",
            Self::Copy { .. } => "copy",
            Self::Packet { .. } => "packet",
            Self::Vring { .. } => "vring",
            Self::Raw { .. } => "raw",
            Self::Marker { .. } => "marker",
            Self::Doorbell { .. } => "doorbell",
            Self::Wait { .. } => "wait",
            Self::Ack { .. } => "ack",
            Self::Memset { .. } => "memset",
            Self::DriverCopy { .. } => "driver_copy",
            Self::AsyncCopy { .. } => "async_copy",
            Self::AsyncWait { .. } => "async_wait",
            Self::Write { .. } => "write",
            Self::Read { .. } => "read",
            Self::State { .. } => "state",
            Self::CopyOut { .. } => "copy_out",
            Self::EngineState { .. } => "engine_state",
            Self::SetState { .. } => "set_state",
            Self::Info { .. } => "info",
            Self::Alloc { .. } => "alloc",
            Self::BarWrite { .. } => "bar_write",
            Self::Request { .. } => "request",
            Self::CopyDescriptors { .. } => "copy_descriptors",
            Self::Repeat { .. } => "repeat",
        }
    }
}

impl Step {
    /// From a JSON object.
    ///
    /// # Errors
    /// What does not belong there.
    pub fn from_json(json: Json) -> Result<Self, String> {
        let Json::Object(mut object) = json else {
            return Err(format!("{json} is not a step: an object with \"op\""));
        };
        fn take<T: serde::de::DeserializeOwned + Default>(
            object: &mut Map<String, Json>,
            key: &str,
        ) -> Result<T, String> {
            match object.remove(key) {
                None => Ok(T::default()),
                Some(json) => {
                    serde_json::from_value(json).map_err(|error| format!("{key}: {error}"))
                }
            }
        }
        let code = take(&mut object, "code")?;
        let rules = take(&mut object, "rules")?;
        let op = serde_json::from_value(Json::Object(object)).map_err(|error| error.to_string())?;
        Ok(Self { op, code, rules })
    }

    /// As the text of a JSON object, the operation first.
    pub fn text(&self) -> String {
        let mut text = match &self.op {
            Op::Repeat { times, steps } => {
                let inner: Vec<String> = steps.iter().map(Self::text).collect();
                let inner = inner.join(", ");
                format!("{{\"op\":\"repeat\",\"times\":{times},\"steps\":[{inner}]}}")
            }
            op => serde_json::to_string(op).unwrap_or_default(),
        };
        text.pop();
        if self.code != 0 {
            text += &format!(",\"code\":{}", self.code);
        }
        if !self.rules.is_empty() {
            let rules: Vec<String> = self
                .rules
                .iter()
                .map(|rule| format!("\"{rule}\""))
                .collect();
            text += &format!(",\"rules\":[{}]", rules.join(","));
        }
        text + "}"
    }

    /// As a JSON object.
    pub fn to_json(&self) -> Json {
        let mut json = serde_json::to_value(&self.op).unwrap_or_default();
        if let Some(object) = json.as_object_mut() {
            if self.code != 0 {
                object.insert("code".into(), self.code.into());
            }
            if !self.rules.is_empty() {
                object.insert("rules".into(), self.rules.clone().into());
            }
        }
        json
    }
}

impl Serialize for Step {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.to_json().serialize(to)
    }
}

impl<'de> Deserialize<'de> for Step {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Self::from_json(Json::deserialize(from)?).map_err(serde::de::Error::custom)
    }
}
