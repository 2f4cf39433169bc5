//! Zero-copy with two contexts in turn, as in 2.26.5.0 (ZC-6).

use alloc::vec::Vec;

use super::steps::{Step, Steps};
use super::{Request, check_owner, pin, send};
use crate::cycle::marker::CompletionBuffer;
use crate::cycle::poll;
use crate::cycle::transfer::TransferQueue;
use crate::engine::Udma;
use crate::error::Error;
use crate::fault::mutant;
use crate::io::{Host, UserPages};

/// A step that was rung.
struct Out {
    step: Step,
    pairs: u32,
    completion: CompletionBuffer,
}

impl TransferQueue {
    /// Copies between a user buffer and the device. `completions` are the CPU physical addresses of
    /// two completion buffers of 8 bytes; step n uses buffer n mod 2. Step n+1 is rung before step n
    /// is waited for.
    ///
    /// # Errors
    /// [`Error::NotOwner`], with nothing staged (ZC-7); [`Error::NotPinned`] and those of staging,
    /// after the step before was waited for; [`Error::Timeout`], after which the pages of every
    /// step that is still out stay pinned, for the engine may yet use them.
    pub fn zero_copy<H: Host + UserPages>(
        &mut self,
        udma: &mut Udma,
        host: &mut H,
        request: &Request,
        completions: [u64; 2],
    ) -> Result<(), Error> {
        check_owner(&self.config, request.core)?;
        let mut out: Option<Out> = None;
        for (number, step) in Steps::new(request.user, request.size).enumerate() {
            let context = if mutant(193) { 0 } else { number % 2 };
            let completion = CompletionBuffer::new(self.config.arch, completions[context]);
            let rung = self.pin_and_send(udma, host, request, step, completion);
            if mutant(192) {
                self.finish(udma, host, &rung?)?;
                continue;
            }
            let before = match rung {
                Ok(rung) => out.replace(rung),
                Err(error) => {
                    if let Some(before) = out {
                        // What failed first is the copy's error.
                        let _ = self.finish(udma, host, &before);
                    }
                    return Err(error);
                }
            };
            if let Some(before) = before {
                self.finish(udma, host, &before)?;
            }
        }
        out.map_or(Ok(()), |last| self.finish(udma, host, &last))
    }

    fn pin_and_send<H: Host + UserPages>(
        &self,
        udma: &mut Udma,
        host: &mut H,
        request: &Request,
        step: Step,
        completion: CompletionBuffer,
    ) -> Result<Out, Error> {
        let frames: Vec<u64> = pin(host, &step)?;
        match send(
            &self.config,
            udma,
            host,
            request,
            &step,
            &frames,
            &completion,
        ) {
            Ok(pairs) => Ok(Out {
                step,
                pairs,
                completion,
            }),
            Err(error) => {
                // Nothing was rung: the engine does not know these pages.
                host.unpin(step.page(), step.pages());
                Err(error)
            }
        }
    }

    /// Waits in the asynchronous form (ZC-6) and gives the pages back.
    fn finish<H: Host + UserPages>(
        &self,
        udma: &mut Udma,
        host: &mut H,
        out: &Out,
    ) -> Result<(), Error> {
        let wait = self.wait_of(udma, out.pairs, true);
        poll::complete(
            udma,
            host,
            self.config.qid,
            &out.completion,
            out.pairs,
            wait,
        )?;
        host.unpin(out.step.page(), out.step.pages());
        Ok(())
    }
}
