//! What goes over the pipe: calls and answers, as JSON.

use serde::{Deserialize, Serialize};
use udma_oracle::cases::rings::Steps;
use udma_oracle::subject::cycle::{
    self, Contexts, Cursors, Fill, Setup, Shadow, Transfer, WaitCase, ZeroCopy,
};
use udma_oracle::subject::ops::{
    self, DtypeCase, EngineReport, EngineSw, Flush, Front, Reduced, Reduction, Request, Structure,
    Transpose, Window, Word,
};
use udma_oracle::subject::vring::{self, Header, Member, Outcome};
use udma_oracle::subject::{Contents, EngineCfg, Event, NamedField, PacketIn, QueueCfg};
use udma_oracle::wire::{
    BitCase, Desc, Fields, MetaFields, PairIn, PairOut, Place, QueueSw, Ring, RingState,
};

use super::access::Access;

/// Version of the protocol.
pub const PROTOCOL: u32 = 1;
/// Most bytes of a message.
pub const MOST_BYTES: u32 = 64 << 20;

// Types whose names a call has too.
type Software = QueueSw;
type Remapped = ops::Remap;
type Program = ops::EngineInit;
type Controller = ops::Iofic;
type Gate = ops::Bar0;
type Hosted = cycle::HostPlace;
type Committed = cycle::Commit;
type Pring = vring::PringState;
type Cached = vring::CacheStats;

/// First message of the suite.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Hello {
    /// [`PROTOCOL`].
    pub protocol: u32,
    /// Version of the C ABI, whose structures and numbers are used.
    pub abi: u32,
}

/// First message of a subject.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Welcome {
    /// [`PROTOCOL`].
    pub protocol: u32,
    /// `kernel` or `hal`.
    pub line: String,
    /// Takes pairs in the binary form too.
    #[serde(default)]
    pub binary_pairs: bool,
    /// Takes whole ring scripts.
    #[serde(default)]
    pub ring_scripts: bool,
    /// Takes whole cases of copies, fills and virtual rings: has the suite's machine on its side.
    #[serde(default)]
    pub whole_cases: bool,
    /// Leaves out cases of operations that it offers, as what it asks would stop at them.
    #[serde(default)]
    pub leaves_out: bool,
    /// The one architecture that it works for; left out where each call says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arch: Option<u8>,
    /// What a reader of the run should know of it, a line each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

macro_rules! calls {
    ($($(#[$doc:meta])* $name:ident { $($member:ident: $type:ty),* } -> $out:ty;)*) => {
        /// One operation asked for. Names and members are those of the C ABI.
        #[derive(Clone, Debug, Serialize, Deserialize)]
        #[serde(tag = "op", rename_all = "snake_case", deny_unknown_fields)]
        #[allow(missing_docs)] // Members are those of the header.
        pub enum Call {
            $($(#[$doc])* $name { $($member: $type),* },)*
        }

        /// A typed call: what answers it.
        pub trait Typed: Into<Call> {
            /// The answer's type.
            type Out: serde::de::DeserializeOwned + Serialize;
        }

        /// Typed calls by name.
        #[allow(missing_docs)]
        pub mod typed {
            use super::*;

            $($(#[$doc])*
            #[derive(Clone, Debug)]
            pub struct $name { $(pub $member: $type),* }

            impl From<$name> for Call {
                fn from(call: $name) -> Self {
                    let $name { $($member),* } = call;
                    Self::$name { $($member),* }
                }
            }

            impl Typed for $name {
                type Out = $out;
            })*
        }
    };
}

calls! {
    /// Descriptors taken apart; gives the fields.
    Decode { descs: Vec<Desc>, fields: Vec<Fields> } -> Vec<Fields>;
    /// Descriptors put together.
    Encode { fields: Vec<Fields> } -> Vec<Desc>;
    /// A `meta_ctrl` word taken apart.
    MetaDecode { word: u32 } -> MetaFields;
    /// A `meta_ctrl` word put together.
    MetaEncode { fields: MetaFields } -> u32;
    /// The bit helpers; gives the cases back.
    Bits { cases: Vec<BitCase> } -> Vec<BitCase>;
    /// Printed fields of a descriptor.
    Explain { view: u32, desc: Desc } -> Vec<NamedField>;
    /// Pairs into filled slots; gives the slots.
    BuildPairs { cases: Vec<PairIn>, out: Vec<PairOut> } -> Vec<PairOut>;
    /// A packet into filled slots; gives code and slots.
    BuildPacket { packet: PacketIn, tx: Vec<Desc>, rx: Vec<Desc> } -> (i32, Vec<Desc>, Vec<Desc>);
    /// The meta descriptor in front of a CME packet.
    BuildCmeMeta { index: u32 } -> Desc;
    /// A CRC copy into filled slots; gives code and slots.
    BuildCrcCopy { pair: PairIn, index: u32, tx: [Desc; 2], rx: Desc } -> (i32, [Desc; 2], Desc);
    /// Ring sizes of wanted descriptor counts.
    RingSize { want: Vec<u32> } -> Vec<u32>;
    /// Where something lies.
    Layout { kind: String, name: String, field: String } -> Place;
    /// A new engine; gives its number.
    EngineOpen { cfg: EngineCfg } -> u32;
    /// An engine that is not used any more.
    EngineClose { engine: u32 } -> ();
    /// Initialises a queue.
    QueueInit { engine: u32, qid: u32, cfg: QueueCfg, host: Contents } -> (i32, Vec<Event>);
    /// Software state of one side.
    QueueSw { engine: u32, qid: u32, ring: Ring } -> Software;
    /// Takes a slot; -1 for none.
    RingGet { engine: u32, qid: u32, ring: Ring } -> i64;
    /// The ring id of the slot just taken.
    RingId { engine: u32, qid: u32, ring: Ring } -> u32;
    /// Acknowledges descriptors.
    RingAck { engine: u32, qid: u32, ring: Ring, count: u32 } -> i32;
    /// Free slots.
    RingAvailable { engine: u32, qid: u32, ring: Ring } -> i64;
    /// One pair into both rings; gives code and the slots written.
    Prepare { engine: u32, qid: u32, pair: PairIn } -> (i32, Vec<(Ring, i64, Desc)>);
    /// Both doorbells.
    CopyStart { engine: u32, qid: u32, m2s_count: u32, s2m_count: u32, host: Contents } -> (i32, Vec<Event>);
    /// State of both rings from the registers.
    QueueState { engine: u32, qid: u32, sw_status: [u32; 2], host: Contents } -> ([RingState; 2], Vec<Event>);
    /// A whole ring script, as in the vector format.
    RingScript { script: serde_json::Value } -> Steps;
    /// A whole case of a family, as in regressions; the answer is the byte 3 and what was
    /// seen.
    Whole { family: String, case: serde_json::Value } -> ();
    /// The `meta_ctrl` word of an operation.
    OpWord { word: Word } -> u32;
    /// The set of operations that give a word.
    OpDecode { word: u32 } -> u32;
    /// A META descriptor.
    MetaDesc { front: Front } -> Desc;
    /// The set of META descriptors that a descriptor may be.
    DescDecode { desc: Desc } -> u32;
    /// A transpose descriptor into a filled slot.
    BuildTranspose { transpose: Transpose, slot: Desc } -> (i32, Desc);
    /// Code for a transpose's name.
    TransposeName { name: String } -> i32;
    /// A state-buffer address taken apart.
    TransposeWindow { case: Window } -> Window;
    /// The flush after a transpose.
    TransposeFlush { flush: Flush, out: PairOut } -> PairOut;
    /// Sizes and limits of a dtype.
    Dtypes { case: DtypeCase } -> DtypeCase;
    /// A runtime number remapped.
    Remap { case: Remapped } -> Remapped;
    /// Members of a combo linked.
    ComboChain { members: Vec<Desc> } -> Vec<Desc>;
    /// A reduction.
    BuildReduction { reduction: Reduction } -> Reduced;
    /// The engine program.
    EngineInit { init: Program, host: Contents } -> (EngineSw, Vec<Event>);
    /// State of an engine.
    EngineState { num_queues: u32, host: Contents } -> (EngineReport, Vec<Event>);
    /// Asks for a state.
    SetState { state: i32, host: Contents } -> (i32, Vec<Event>);
    /// A call of the interrupt controller; gives code and value.
    Iofic { call: Controller, host: Contents } -> ((i32, u32), Vec<Event>);
    /// Causes of a level.
    IoficCauses { revision: u32, level: u32, host: Contents } -> (Vec<u32>, Vec<Event>);
    /// Codes of the BAR0 gate.
    Bar0 { cases: Vec<Gate> } -> Vec<Gate>;
    /// First and following wait of a batch.
    WaitEstimate { case: WaitCase } -> [u64; 2];
    /// Where the host transfers of a core go; null for a core that there is not.
    HostPlace { arch: u8, core: u32 } -> Option<Hosted>;
    /// Whether zero-copy is offered.
    ZerocopyOffered { arch: u8, overridden: bool } -> bool;
    /// A fresh shadow queue.
    ShadowInit { count: u32 } -> Shadow;
    /// Reserves in both queues; gives code, first slots, both queues.
    ShadowReserve { tx: Shadow, rx: Shadow, count: u32 } -> (i32, [u32; 2], Shadow, Shadow);
    /// Phase of a slot.
    ShadowRingIdAt { queue: Shadow, index: u32 } -> u32;
    /// Descriptors into a ring; gives code, runs and the ring.
    ShadowCommit { commit: Committed, ring: Vec<Desc> } -> (i32, u32, Vec<Desc>);
    /// An engine with one queue that is initialised and open for transfers; gives its number.
    TransfersOpen { setup: Setup } -> u32;
    /// A queue that is not used any more.
    TransfersClose { transfers: u32 } -> ();
    /// Copies and waits.
    Copy { transfers: u32, transfer: Transfer } -> i32;
    /// Submits after a handle; gives code and handle, which is 0 where the code is not.
    CopyAsync { transfers: u32, transfer: Transfer, previous: i32 } -> (i32, i32);
    /// Waits for a handle.
    Wait { transfers: u32, handle: i32 } -> i32;
    /// Fills.
    Memset { transfers: u32, fill: Fill } -> i32;
    /// Copies user pages with two contexts.
    Zerocopy { transfers: u32, copy: ZeroCopy } -> i32;
    /// Opens a context queue.
    ContextsOpen { transfers: u32, contexts: Contexts } -> ();
    /// Takes an asynchronous copy in.
    ContextsSubmit { transfers: u32, copy: ZeroCopy, tag: u64 } -> i32;
    /// A synchronous copy through the context queue.
    ContextsCopy { transfers: u32, copy: ZeroCopy } -> i32;
    /// One round; whether anything moved.
    ContextsAdvance { transfers: u32 } -> bool;
    /// Head, first pinned-unsubmitted, first unpinned, tail, pinned pages.
    ContextsState { transfers: u32 } -> [u64; 5];
    /// State of a context.
    ContextsAt { transfers: u32, index: u32 } -> u32;
    /// The oldest unread completion, tag and code; null for none.
    CompletionPop { transfers: u32 } -> Option<(u64, i32)>;
    /// Producer, consumer and phase of TX and RX.
    TransferCursors { transfers: u32 } -> Cursors;
    /// The HAL line's start.
    BareCopyStart { qid: u32, m2s_count: u32, s2m_count: u32 } -> i32;
    /// The HAL line's poll.
    SoftwarePoll { word: u64, looks: u64 } -> i32;
    /// An empty vring named `v`; gives its number.
    VringOpen { arch: u8 } -> u32;
    /// A vring that is not used any more.
    VringClose { vring: u32 } -> ();
    /// One operation of a script, as in the worked vectors.
    VringStep { vring: u32, step: serde_json::Value } -> Outcome;
    /// The vring without its descriptors.
    VringImage { vring: u32 } -> Header;
    /// Descriptors of a half; gives how many there are of those, and them.
    VringRead { vring: u32, half: Ring, first: u32, count: u32 } -> (u32, Vec<Desc>);
    /// A pring without its memory; null before it is made.
    PringState { vring: u32, ring: Ring } -> Option<Pring>;
    /// Descriptors of a pring's memory.
    PringRead { vring: u32, ring: Ring, first: u64, count: u32 } -> Vec<Desc>;
    /// Counts of the cache; null before it is made.
    CacheStats { vring: u32 } -> Option<Cached>;
    /// Descriptors of a ring that is held.
    HeldRead { vring: u32, holding: u32, half: Ring, first: u32, count: u32 } -> (u32, Vec<Desc>);
    /// Where a member lies; null for one that there is not.
    VringLayout { structure: String, field: String } -> Option<Place>;
    /// Vrings added to a set, at most so many, and the code of the one that was refused.
    SetFill { name: String, rounding: bool, most: u32 } -> (Vec<Member>, i32);
    /// A request by name; null for an unknown one.
    IoctlRequest { name: String } -> Option<Request>;
    /// Name of a request; null for an unknown number.
    IoctlName { number: u32 } -> Option<String>;
    /// The number of parts.
    IoctlCompose { dir: u32, size: u32, nr: u32 } -> u32;
    /// An argument structure; null for an unknown one.
    IoctlStructure { name: String } -> Option<Structure>;
    /// A constant of the surface; null for an unknown one.
    IoctlConstant { what: String } -> Option<i64>;
}

/// What a subject says to one call.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// The answer.
    Out(serde_json::Value),
    /// It does not do that.
    NotOffered,
    /// It cannot make sense of the call.
    Error(String),
    /// No answer yet: the suite is to do this, and tells what each gave.
    Host(Vec<Access>),
}
