//! Any call of the interrupt controller on any registers (IOFC).

use udma_oracle::cases::iofic::{Causes, Iofic, call};
use udma_oracle::cases::operation::{Call, Registers};
use udma_oracle::law::iofic::group;
use udma_oracle::subject::ops::Iofic as Case;
use udma_reference::abi::{self, UDMA_SPACE_ENGINE as ENGINE};

use super::input::{self, input};
use super::{Assert, Judge};

input! {
    /// A call.
    struct Input {
        /// The call; beyond the last one the cause iterator.
        call: u8,
        /// Revision of the engine.
        revision: u8,
        /// The secondary level in place of the primary one.
        secondary: bool,
        /// Group.
        group: u8,
        /// Window that the call names.
        window: u32,
        /// Bits.
        bits: u32,
        /// Whether the cause keeps its value.
        held: bool,
        /// What registers hold.
        values: [u32; 6],
    }
}

impl Input {
    fn registers(&self, level: u32, at: u32) -> Registers {
        if u32::from(self.call) % (abi::UDMA_IOFIC_CALLS + 1) == abi::UDMA_IOFIC_MASK_RING_ID_ERROR
        {
            let engine = [0x3a010, 0x3a050, 0x20c, 0x2020c].map(|offset| (ENGINE, offset));
            let top = [0x90, 0xd0].map(|offset| (abi::UDMA_SPACE_INTC, offset));
            let places = engine.into_iter().chain(top).zip(self.values);
            return places
                .map(|((space, offset), value)| (space, offset, value))
                .collect();
        }
        let base = group(level, at);
        let offsets = [0x00, 0x10, 0x28, 0x30].into_iter().zip(self.values);
        offsets
            .map(|(offset, value)| (ENGINE, base + offset, value))
            .collect()
    }
}

/// Runs the target.
pub fn run<J: Judge>(bytes: &[u8], judge: &mut J) {
    let Some(input) = input::read::<Input>(bytes) else {
        return;
    };
    let number = u32::from(input.call) % (abi::UDMA_IOFIC_CALLS + 1);
    let level = if input.secondary {
        abi::UDMA_LEVEL_SECONDARY
    } else {
        abi::UDMA_LEVEL_PRIMARY
    };
    let revision = u32::from(input.revision) % 8;
    if number == abi::UDMA_IOFIC_CALLS {
        let causes = (0..).zip(input.values).take(5);
        judge.hold::<Causes>(&Call {
            args: vec![revision.into(), level.into()],
            registers: causes
                .map(|(at, cause)| (ENGINE, group(level, at), cause))
                .collect(),
        });
        return;
    }
    let at = u32::from(input.group) % 6;
    let case = Case {
        call: number,
        revision,
        level,
        group: at,
        group_base: u64::from(input.window) & !0x3f,
        bits: input.bits,
    };
    judge.hold::<Iofic>(&call(&case, input.held, input.registers(level, at)));
}

/// Runs it as the fuzzer does.
pub fn fuzz(bytes: &[u8]) {
    run(bytes, &mut Assert::all());
}
