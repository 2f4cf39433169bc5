//! Planted device faults: what a wrong device or driver would do. `udma run` must find each.

macro_rules! faults {
    ($($name:ident $id:literal [$($rule:literal)*] $text:literal;)*) => {
        /// A planted fault.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Fault {
            $(#[doc = $text] $name,)*
        }

        impl Fault {
            /// Every fault.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// Its name on the command line.
            pub const fn id(self) -> &'static str {
                match self { $(Self::$name => $id,)* }
            }

            /// What it does.
            pub const fn text(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }

            /// Rules of which a finding must name one.
            pub const fn rules(self) -> &'static [&'static str] {
                match self { $(Self::$name => &[$($rule,)*],)* }
            }
        }
    };
}

faults! {
    LastByteDropped "last-byte-dropped" ["DESC-3" "BLDR-3"] "The last byte of every transfer of more than 4 bytes is not moved.";
    ZeroLength "zero-length" ["DESC-3"] "Length 0 means nothing instead of 65536.";
    LowBitsDropped "low-bits-dropped" ["DESC-2" "BLDR-1" "BLDR-2"] "The two low bits of pointers are taken for 0.";
    SwappedPointers "swapped-pointers" ["DESC-2" "BLDR-1" "BLDR-2"] "Source and destination are exchanged.";
    BarrierIgnored "barrier-ignored" ["BARR-2" "MODL-5"] "Ordering bits have no effect.";
    MarkerEarly "marker-early" ["MARK-2" "MODL-8" "BARR-2"] "The marker is there before anything was moved.";
    MarkerLost "marker-lost" ["MARK-1" "MODL-8"] "The marker never comes.";
    PhaseStuck "phase-stuck" ["RING-4" "MODL-2"] "The phase that the engine expects stays 1.";
    PhaseIgnored "phase-ignored" ["MODL-2"] "Descriptors of any phase are executed.";
    JoinIgnored "join-ignored" ["BLDR-9" "MODL-3"] "Only the first block of a packet is moved.";
    DoorbellLost "doorbell-lost" ["TRIG-2" "DEV-4"] "A start gives 0 and rings nothing.";
    DoorbellTxLost "doorbell-tx-lost" ["TRIG-2" "DEV-4"] "A start rings RX alone.";
    PrefetchRefused "prefetch-refused" ["TRIG-3"] "A start with TX count 0 is refused.";
    ZeroCountAccepted "zero-count-accepted" ["TRIG-4"] "A start with RX count 0 gives 0.";
    CountCode "count-code" ["TRIG-1"] "A count beyond the ring gives -22 instead of -1.";
    HeadStale "head-stale" ["REGS-2"] "The reported head stays behind by one.";
    TailTotal "tail-total" ["REGS-2" "MODL-1"] "The reported tail does not wrap.";
    LengthShort "length-short" ["REGS-2"] "The reported length is one short.";
    BasePlain "base-plain" ["HOST-1" "REGS-2"] "The reported base lacks the host window.";
    CopyOutLate "copy-out-late" ["DEV-3"] "Descriptors are copied out from one slot further on.";
    CopyOutSwapped "copy-out-swapped" ["ABI-4" "DEV-3"] "TX and RX are exchanged when descriptors are copied out.";
    CopyOutNothing "copy-out-nothing" ["DEV-3"] "Copying out no descriptor gives 0.";
    CopyOutCode "copy-out-code" ["DEV-3"] "Copying out beyond the ring gives -22 instead of -27.";
    RingTooLarge "ring-too-large" ["QINI-4"] "A ring of 2^24 descriptors is accepted.";
    RingOdd "ring-odd" ["QINI-1"] "A ring that is not a multiple of 16 is accepted.";
    InitKeeps "init-keeps" ["QINI-5" "QINI-6"] "A queue that is initialised again keeps its place in the ring.";
    QueueAny "queue-any" ["DEV-15" "QINI-3"] "Queue 16 is accepted.";
    BatchFull "batch-full" ["DEV-14"] "A batch of 256 is accepted.";
    AckIgnored "ack-ignored" ["RING-6" "DEV-4"] "An acknowledgement gives 0 and does nothing.";
    MemoryLeft "memory-left" ["DEV-20"] "Memory stays when the last file of a process is closed.";
    QueueLeft "queue-left" ["DEV-20"] "Queues stay as they were when the last file of a process is closed.";
    MemsetByte "memset-byte" ["MSET-1"] "A fill uses the second byte of its value.";
    MemsetShort "memset-short" ["MSET-1"] "A fill ends after 65536 bytes.";
    CopyShort "copy-short" ["BTCH-1" "BTCH-6"] "The driver's copy loses its last piece.";
    CopyOffset "copy-offset" ["BTCH-1" "BTCH-6"] "The driver's copy takes the destination offset for 0.";
    BufferOffset "buffer-offset" ["DEV-12" "DEV-11"] "Reads of a buffer take the offset for 0.";
    AsyncHandle "async-handle" ["ASYN-1"] "Every asynchronous copy gives handle 1.";
    AsyncWaitAny "async-wait-any" ["DEV-16"] "A wait for handle 0 gives 0.";
    InfoSize "info-size" ["DEV-9" "DEV-19"] "The reported size of an allocation is not rounded.";
    InfoPlain "info-plain" ["DEV-19" "HOST-1"] "The reported address of host memory lacks the window.";
    AlignAccepted "align-accepted" ["DEV-9"] "Host memory with an alignment is given.";
    PiecesAtOnce "pieces-at-once" ["DEV-1"] "All descriptors are validated before any is copied.";
    AddressUnchecked "address-unchecked" ["DEV-2"] "Descriptors' addresses are not validated.";
    RangeLoose "range-loose" ["DEV-11" "DEV-1"] "A range may pass the end of its memory by a descriptor.";
    TypeAny "type-any" ["DEV-1"] "Any queue type is taken when descriptors are copied.";
    BarDoorbell "bar-doorbell" ["DEV-5" "BAR0-1" "DEV-17"] "User space may write the doorbell.";
    StateRefused "state-refused" ["DEV-21"] "An engine state that cannot be asked for gives -22.";
    RequestAccepted "request-accepted" ["DEV-22"] "A request that is not known gives 0.";
}

impl std::str::FromStr for Fault {
    type Err = String;

    fn from_str(id: &str) -> Result<Self, String> {
        let found = Self::ALL.iter().find(|fault| fault.id() == id);
        found.copied().ok_or_else(|| {
            let known: Vec<_> = Self::ALL.iter().map(|fault| fault.id()).collect();
            format!("fault {id:?} is not known: {}", known.join(", "))
        })
    }
}
