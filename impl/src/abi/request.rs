//! Request numbers of the driver's ioctl surface, as recorded (ABI-1..3).

use crate::fault::mutant;

/// Type character of every request: `N` (ABI-3).
pub const KIND: u32 = 0x4e;
/// Lowest bit of the type character.
pub const KIND_SHIFT: u32 = 8;
/// Lowest bit of the encoded size.
pub const SIZE_SHIFT: u32 = 16;
/// Bits of the encoded size.
pub const SIZE_BITS: u32 = 14;
/// Lowest bit of the direction.
pub const DIR_SHIFT: u32 = 30;
/// Bytes of a pointer, which several requests encode in place of their structure's size (ABI-1).
pub const POINTER_BYTES: u32 = 8;

/// The direction bits of a request. They do not tell which way data flow (ABI-3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum Dir {
    /// No argument.
    None = 0,
    /// `_IOW`.
    Write = 1,
    /// `_IOR`.
    Read = 2,
    /// `_IOWR`.
    ReadWrite = 3,
}

impl Dir {
    /// Name as in the vectors.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Write => "write",
            Self::Read => "read",
            Self::ReadWrite => "read_write",
        }
    }
}

/// A request of the driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Request {
    /// The driver's name without `NEURON_IOCTL_`.
    pub name: &'static str,
    number: u32,
}

impl Request {
    /// The 32-bit request number, as recorded. It cannot be computed from the argument's size:
    /// several requests encode a pointer's (ABI-1).
    pub fn number(&self) -> u32 {
        if mutant(395) && self.name == "DMA_QUEUE_COPY_START" {
            return compose(Dir::Read, 16, self.nr());
        }
        self.number
    }

    /// Call number; several requests share one (ABI-2).
    pub fn nr(&self) -> u32 {
        self.number & 0xff
    }

    /// Type character.
    pub fn kind(&self) -> u32 {
        self.number() >> KIND_SHIFT & 0xff
    }

    /// Direction bits.
    pub fn dir(&self) -> Dir {
        match self.number() >> DIR_SHIFT {
            0 => Dir::None,
            1 => Dir::Write,
            2 => Dir::Read,
            _ => Dir::ReadWrite,
        }
    }

    /// Bytes of the argument as encoded.
    pub fn arg_size(&self) -> u32 {
        let bits = if mutant(397) { 13 } else { SIZE_BITS };
        self.number() >> SIZE_SHIFT & ((1 << bits) - 1)
    }

    /// The request of a number. All 32 bits count (ABI-2).
    pub fn of(number: u32) -> Option<&'static Self> {
        REQUESTS.iter().find(|request| {
            let same_nr = request.nr() == number & 0xff;
            request.number() == number || mutant(396) && same_nr
        })
    }
}

/// Request number of a direction, an encoded size and a call number (ABI-3).
pub const fn compose(dir: Dir, size: u32, nr: u32) -> u32 {
    (dir as u32) << DIR_SHIFT | size << SIZE_SHIFT | KIND << KIND_SHIFT | nr
}

macro_rules! requests {
    ($($name:ident = $number:literal;)*) => {
        $(
            #[doc = concat!("`NEURON_IOCTL_", stringify!($name), "`.")]
            pub const $name: Request = Request { name: stringify!($name), number: $number };
        )*

        /// Every request.
        pub const REQUESTS: &[Request] = &[$($name,)*];
    };
}

requests! {
    DEVICE_RESET = 0x0000_4e01;
    DEVICE_READY = 0x8001_4e02;
    DEVICE_RESET_STATUS = 0x8001_4e6a;
    DEVICE_INFO = 0x8008_4e03;
    DEVICE_INIT = 0x8008_4e04;
    DEVICE_RELEASE = 0x0000_4e05;
    DEVICE_APP_PID = 0x8004_4e06;
    DEVICE_GET_ALL_APPS_INFO = 0x8008_4e07;
    BAR_READ = 0x8008_4e0b;
    BAR_WRITE = 0x4008_4e0c;
    POST_METRIC = 0x4008_4e0d;
    MEM_ALLOC = 0x8008_4e15;
    MEM_ALLOC_V2 = 0x8008_4e66;
    MEM_ALLOC_V2MT = 0x8030_4e66;
    MEM_ALLOC_V2MT64 = 0x8038_4e66;
    MEM_FREE = 0x8008_4e16;
    MEM_COPY = 0x8008_4e17;
    MEM_COPY64 = 0x8028_4e17;
    MEM_BUF_COPY = 0xc008_4e18;
    MEM_BUF_COPY64 = 0xc028_4e18;
    MEM_GET_PA = 0x8008_4e19;
    MEM_GET_INFO = 0x8008_4e1a;
    PROGRAM_ENGINE = 0xc008_4e1b;
    MEMSET = 0x8008_4e1c;
    MEMSET64 = 0x8020_4e1c;
    MEM_GET_EXTENDED_INFO = 0x8008_4e1d;
    DMA_ENG_INIT = 0x8008_4e1e;
    DMA_ENG_SET_STATE = 0x8008_4e1f;
    DMA_ENG_GET_STATE = 0xc008_4e20;
    DMA_QUEUE_INIT = 0x8008_4e21;
    DMA_QUEUE_INIT_BATCH = 0xb008_4e85;
    DMA_QUEUE_RELEASE = 0x8008_4e22;
    DMA_QUEUE_COPY_START = 0x8008_4e23;
    DMA_ACK_COMPLETED = 0x8008_4e24;
    DMA_QUEUE_GET_STATE = 0xc008_4e25;
    DMA_COPY_DESCRIPTORS = 0x8008_4e26;
    DMA_COPY_DESCRIPTORS64 = 0x8028_4e26;
    DMA_DESCRIPTOR_COPYOUT = 0xc008_4e27;
    DMA_QUIESCE_QUEUES = 0x8008_4e28;
    SEMAPHORE_INCREMENT = 0x8008_4e29;
    SEMAPHORE_DECREMENT = 0x8008_4e2a;
    SEMAPHORE_READ = 0xc008_4e2b;
    SEMAPHORE_WRITE = 0x8008_4e2c;
    EVENT_SET = 0x8008_4e2d;
    EVENT_GET = 0xc008_4e2e;
    NOTIFICATIONS_INIT_V1 = 0x8008_4e33;
    NOTIFICATIONS_DESTROY_V1 = 0x8008_4e34;
    NOTIFICATIONS_INIT_V2 = 0x8008_4e35;
    NOTIFICATIONS_INIT_WITH_REALLOC_V2 = 0x8008_4e36;
    NOTIFICATIONS_QUEUE_INFO = 0x8008_4e3a;
    READ_HW_COUNTERS = 0x8008_4e3d;
    ACQUIRE_NEURON_DS = 0x8008_4e47;
    RELEASE_NEURON_DS = 0x8008_4e48;
    CRWL_READER_ENTER = 0x4008_4e51;
    CRWL_READER_EXIT = 0x4008_4e52;
    CRWL_WRITER_ENTER = 0x4008_4e53;
    CRWL_WRITER_DOWNGRADE = 0x4008_4e54;
    CRWL_NC_RANGE_MARK = 0x4008_4e55;
    CRWL_NC_RANGE_MARK_EXT0 = 0xc050_4e55;
    CRWL_NC_RANGE_UNMARK = 0x4008_4e56;
    CRWL_NC_RANGE_UNMARK_EXT0 = 0x4050_4e56;
    CINIT_SET_STATE = 0x4008_4e5b;
    NC_MODEL_STARTED_COUNT = 0x4008_4e5c;
    COMPATIBLE_VERSION = 0x4008_4e5d;
    DEVICE_BASIC_INFO = 0x4008_4e64;
    DEVICE_BDF = 0x8008_4e65;
    NC_RESET = 0x8008_4e67;
    NC_RESET_READY = 0x8008_4e68;
    PROGRAM_ENGINE_NC = 0xc008_4e69;
    PROGRAM_ENGINE_NC64 = 0xc028_4e69;
    DEVICE_BDF_EXT = 0x8008_4e6a;
    DMABUF_FD = 0x8008_4e6b;
    MEM_COPY_ASYNC = 0xc030_4e6c;
    MEM_COPY_ASYNC64 = 0xc038_4e6c;
    MEM_COPY_ASYNC_WAIT = 0x4018_4e6d;
    DRIVER_INFO_GET = 0x8018_4e6e;
    DRIVER_INFO_SET = 0x4018_4e6e;
    MEM_MC_GET_INFO = 0xc018_4e6f;
    MEM_MC_GET_INFO_V2 = 0xc020_4e6f;
    RESOURCE_MMAP_INFO = 0xc020_4e70;
    PRINTK = 0x4010_4e71;
    HOST_DEVICE_ID = 0x8004_4e72;
    HOST_DEVICE_ID_TO_RID_MAP = 0xc104_4e73;
    DUMP_MEM_CHUNKS = 0x8008_4e74;
    NC_PID_STATE_DUMP = 0xc010_4e75;
    HBM_SCRUB_START = 0xc010_4e76;
    HBM_SCRUB_WAIT = 0xc008_4e77;
    GET_LOGICAL_TO_PHYSICAL_NC_MAP = 0xc010_4e78;
    POD_INFO = 0xc104_4e79;
    POD_STATUS = 0xc10c_4e7a;
    POD_STATUS_V2 = 0xc114_4e7a;
    POD_CTRL = 0xc010_4e7b;
    POD_CTRL_V2 = 0xc014_4e7b;
    MEM_BUF_ZEROCOPY64 = 0xc030_4e7c;
    H2T_DMA_ALLOC_QUEUES = 0xc014_4e7d;
    H2T_DMA_FREE_QUEUES = 0xc008_4e7e;
    POWER_PROFILE = 0x4008_4e7f;
    METRICS_CTRL = 0x4004_4e80;
    MEM_BUF_ZEROCOPY64_BATCHES = 0xc020_4e81;
    THROTTLING_NOTIFICATIONS = 0x4004_4e82;
    GET_VA_PLACEMENT = 0x4010_4e83;
}
