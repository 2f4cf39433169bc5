//! File 09.

use super::List;
use crate::abi::request::{
    DIR_SHIFT, DMA_QUEUE_COPY_START, Dir, KIND, KIND_SHIFT, POINTER_BYTES, SIZE_BITS, SIZE_SHIFT,
};
use crate::abi::{BATCH, QueueType, dma};

pub(super) fn list(list: &mut List) {
    let name = "ioctl.dma_queue_copy_start";
    list.one("ABI-1", name, DMA_QUEUE_COPY_START.number());
    let bytes = size_of::<dma::DmaQueueCopyStart>() as u64;
    list.one("ABI-1", "ioctl.dma_queue_copy_start.bytes", bytes);
    list.one("ABI-1", "ioctl.pointer_bytes", POINTER_BYTES);
    list.all(
        "ABI-3",
        "ioctl.",
        [
            ("dir_shift", DIR_SHIFT),
            ("size_shift", SIZE_SHIFT),
            ("size_bits", SIZE_BITS),
            ("kind_shift", KIND_SHIFT),
            ("kind", KIND),
            ("dir.none", Dir::None as u32),
            ("dir.write", Dir::Write as u32),
            ("dir.read", Dir::Read as u32),
            ("dir.both", Dir::ReadWrite as u32),
        ],
    );
    list.all(
        "ABI-4",
        "ioctl.queue_type.",
        [
            ("tx", QueueType::Tx.number()),
            ("rx", QueueType::Rx.number()),
            ("completion", QueueType::Completion.number()),
        ],
    );
    list.one("DEV-14", "ioctl.batch", BATCH as u64);
}
