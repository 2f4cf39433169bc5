//! The calls (file 09 of the specification), decided on all 32 bits of the request (ABI-2).

mod device;
mod dma;
mod memory;

use udma::abi::request::Request;

use super::board::{Board, FileId};
use super::fault::Fault;
use super::user::User;

/// -EINVAL.
pub(super) const EINVAL: i64 = -22;
/// -EACCES.
pub(super) const EACCES: i64 = -13;
/// -ENOTTY.
const ENOTTY: i64 = -25;
/// -EBADF.
const EBADF: i64 = -9;

/// Who calls, on which device.
#[derive(Clone, Copy, Debug)]
pub(super) struct Caller {
    pub device: usize,
    /// Thread group.
    pub group: u32,
    /// Thread group that opened the file: another one where the file was inherited or passed.
    pub opener: u32,
}

/// Requests that need an attached process (DEV-7).
const ATTACHED: [&str; 15] = [
    "DMA_ENG_INIT",
    "DMA_ENG_SET_STATE",
    "DMA_QUEUE_INIT",
    "DMA_ACK_COMPLETED",
    "DMA_QUEUE_RELEASE",
    "DMA_COPY_DESCRIPTORS",
    "MEM_ALLOC",
    "MEM_FREE",
    "MEM_COPY",
    "MEM_GET_PA",
    "MEM_GET_INFO",
    "MEM_COPY_ASYNC",
    "MEM_COPY_ASYNC_WAIT",
    "BAR_WRITE",
    "DRIVER_INFO_SET",
];

impl Board {
    /// One ioctl of a process, by its thread group. Gives 0, a negative errno, or the positive number
    /// of bytes that could not be copied (DEV-13).
    pub fn ioctl(
        &mut self,
        file: FileId,
        group: u32,
        number: u32,
        argument: u64,
        user: &mut dyn User,
    ) -> i64 {
        let Some(file) = self.file(file) else {
            return EBADF;
        };
        let caller = Caller {
            device: file.device,
            group,
            opener: file.owner,
        };
        let Some(request) = Request::of(number) else {
            return self.unknown(caller, number);
        };
        if ATTACHED.contains(&request.name)
            && !self.devices[caller.device].attached.contains_key(&group)
        {
            return EACCES;
        }
        let answer = self.call(caller, request.name, argument, user);
        match answer {
            Some(Ok(code) | Err(code)) => code,
            None => self.unknown(caller, number),
        }
    }

    /// DEV-22.
    fn unknown(&mut self, caller: Caller, number: u32) -> i64 {
        if self.has(Fault::RequestAccepted) {
            return 0;
        }
        let device = caller.device;
        self.note(format!(
            "neuron{device}: ioctl {number:#010x} is not served: ENOTTY"
        ));
        ENOTTY
    }

    fn call(
        &mut self,
        caller: Caller,
        name: &str,
        at: u64,
        user: &mut dyn User,
    ) -> Option<Result<i64, i64>> {
        Some(match name {
            "DEVICE_INFO" => self.device_info(at, user),
            "DEVICE_BASIC_INFO" => self.basic_info(at, user),
            "DRIVER_INFO_GET" => self.driver_info(at, user),
            "COMPATIBLE_VERSION" => Self::compatible_version(at, user),
            // DEV-8.
            "DEVICE_INIT" | "DEVICE_RELEASE" | "DMA_ENG_INIT" | "DMA_QUEUE_RELEASE" => Ok(0),
            "BAR_READ" => self.bar(caller, at, user, false),
            "BAR_WRITE" => self.bar(caller, at, user, true),
            "MEM_ALLOC" | "MEM_ALLOC_V2" | "MEM_ALLOC_V2MT" | "MEM_ALLOC_V2MT64" => {
                self.mem_alloc(caller, name, at, user)
            }
            "MEM_FREE" => self.mem_free(at, user),
            "MEM_GET_PA" => self.mem_pa(at, user),
            "MEM_GET_INFO" => self.mem_info(at, user),
            "MEM_GET_EXTENDED_INFO" => self.mem_extended_info(at, user),
            "MEM_BUF_COPY" | "MEM_BUF_COPY64" => self.buffer_copy(caller, name, at, user),
            "MEM_COPY" | "MEM_COPY64" => self.mem_copy(caller, name, at, user),
            "MEM_COPY_ASYNC" | "MEM_COPY_ASYNC64" => self.copy_async(caller, name, at, user),
            "MEM_COPY_ASYNC_WAIT" => self.copy_wait(caller, at, user),
            "MEMSET" | "MEMSET64" => self.memset(caller, name, at, user),
            "DMA_ENG_SET_STATE" => self.set_state(caller, at, user),
            "DMA_ENG_GET_STATE" => self.engine_state(caller, at, user),
            "DMA_QUEUE_INIT" => self.queue_init(caller, at, user),
            "DMA_QUEUE_INIT_BATCH" => self.queue_init_batch(caller, at, user),
            "DMA_QUEUE_COPY_START" => self.copy_start(caller, at, user),
            "DMA_ACK_COMPLETED" => self.ack(caller, at, user),
            "DMA_QUEUE_GET_STATE" => self.queue_state(caller, at, user),
            "DMA_COPY_DESCRIPTORS" | "DMA_COPY_DESCRIPTORS64" => {
                self.copy_descriptors(name, at, user)
            }
            "DMA_DESCRIPTOR_COPYOUT" => self.copy_out(caller, at, user),
            _ => return None,
        })
    }
}
