//! The interrupt controller of an engine (IOFC-1..10). A group is a window of registers; writes
//! to `mask_clear` and `cause` act on the bits that are *zero* in the value.

use super::regs::interrupt as at;
use crate::error::EINVAL;
use crate::fault::mutant;
use crate::io::{Mmio, Space};
use crate::line::Line;

/// -EIO.
pub const EIO: i32 = -5;

/// Control bit 0: causes clear themselves when read (IOFC-7).
pub const AUTO_CLEAR: u32 = 1 << 0;
/// Control bit 3: set on the positive edge (IOFC-3).
pub const SET_ON_POSEDGE: u32 = 1 << 3;
/// Control bit 5: masked MSI-X (IOFC-3).
pub const MASK_MSIX: u32 = 1 << 5;
/// The control word of config (IOFC-3).
pub const CONTROL: u32 = SET_ON_POSEDGE | MASK_MSIX;

/// M2S errors in group A (IOFC-6).
pub const M2S_ERRORS_A: u32 = 0x0fff_ffff;
/// M2S errors in group C.
pub const M2S_ERRORS_C: u32 = 0x3f;
/// M2S bits of group D.
pub const M2S_SUMMARY: u32 = 0x500;
/// S2M errors in group B.
pub const S2M_ERRORS_B: u32 = 0xffff_ef07;
/// S2M errors in group C.
pub const S2M_ERRORS_C: u32 = 0xfc0;
/// S2M bits of group D.
pub const S2M_SUMMARY: u32 = 0x600;

/// Groups of the primary level (IOFC-2).
pub const PRIMARY_GROUPS: u32 = 4;
/// Summary bits of the secondary groups (IOFC-8).
pub const SUMMARY: [u32; 4] = [0x100, 0x200, 0x400, 0x800];
/// Revision from which there is a third secondary group (IOFC-2, IOFC-8).
pub const THIRD_GROUP_REVISION: u32 = 4;

/// A level of the controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Level {
    /// At 38000.
    Primary,
    /// 2000 further.
    Secondary,
}

/// A group of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Group {
    /// The level.
    pub level: Level,
    /// Number in the level.
    pub number: u32,
}

impl Group {
    /// Secondary group 0.
    pub const A: Self = Self::secondary(0);
    /// Secondary group 1.
    pub const B: Self = Self::secondary(1);
    /// Secondary group 2.
    pub const C: Self = Self::secondary(2);
    /// Primary group 3.
    pub const D: Self = Self {
        level: Level::Primary,
        number: 3,
    };

    const fn secondary(number: u32) -> Self {
        Self {
            level: Level::Secondary,
            number,
        }
    }

    /// Its window, from the engine base (IOFC-1, IOFC-2). Not bounded by the map.
    pub fn base(self) -> u64 {
        let level = match self.level {
            Level::Primary => at::PRIMARY,
            Level::Secondary if mutant(368) => at::PRIMARY + 0x400,
            Level::Secondary => at::SECONDARY,
        };
        level + at::GROUP * u64::from(self.number)
    }
}

/// A refused call of the interrupt controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IoficError {
    /// IOFC-2, IOFC-9. The code is informative.
    #[error("there is no {level:?} group {number} at revision {revision}")]
    NoGroup {
        /// The level.
        level: Level,
        /// The group.
        number: u32,
        /// The engine's revision.
        revision: u32,
    },
    /// IOFC-7.
    #[error("cause bits {bits:#010x} survive being cleared")]
    Survives {
        /// The bits.
        bits: u32,
    },
}

impl IoficError {
    /// The code that is returned.
    pub const fn code(self) -> i32 {
        match self {
            Self::NoGroup { .. } => EINVAL,
            Self::Survives { .. } => EIO,
        }
    }
}

/// The interrupt controller as one line drives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Iofic {
    /// The line followed; they differ in how abort is armed (IOFC-5).
    pub line: Line,
    /// Engine revision.
    pub revision: u32,
}

impl Iofic {
    /// A controller.
    pub const fn new(line: Line, revision: u32) -> Self {
        Self { line, revision }
    }

    /// Groups of a level (IOFC-2).
    pub fn groups(&self, level: Level) -> u32 {
        match level {
            Level::Primary => PRIMARY_GROUPS,
            Level::Secondary if self.revision >= THIRD_GROUP_REVISION && !mutant(369) => 3,
            Level::Secondary => 2,
        }
    }

    /// Whether the group exists.
    ///
    /// # Errors
    /// [`IoficError::NoGroup`].
    pub fn check(&self, group: Group) -> Result<(), IoficError> {
        if group.number < self.groups(group.level) {
            return Ok(());
        }
        Err(IoficError::NoGroup {
            level: group.level,
            number: group.number,
            revision: self.revision,
        })
    }

    /// Writes the whole control word (IOFC-3).
    pub fn config(&self, mmio: &mut impl Mmio, group: Group) {
        config_at(mmio, group.base());
    }

    /// Lets causes through (IOFC-4).
    ///
    /// # Errors
    /// [`IoficError::NoGroup`]; nothing is written then (IOFC-9).
    pub fn unmask(&self, mmio: &mut impl Mmio, group: Group, bits: u32) -> Result<(), IoficError> {
        if !mutant(383) {
            self.check(group)?;
        }
        unmask_at(mmio, group.base(), bits);
        Ok(())
    }

    /// Holds causes back: an OR into the mask (IOFC-4).
    pub fn mask(&self, mmio: &mut impl Mmio, group: Group, bits: u32) {
        let offset = group.base() + at::MASK;
        let masked = mmio.read32(Space::Engine, offset);
        if mutant(419) && bits == 0 {
            return;
        }
        let value = if mutant(372) { bits } else { masked | bits };
        mmio.write32(Space::Engine, offset, value);
    }

    /// Clears causes (IOFC-4).
    pub fn clear_cause(&self, mmio: &mut impl Mmio, group: Group, bits: u32) {
        if mutant(420) && bits == 0 {
            return;
        }
        mmio.write32(Space::Engine, group.base() + at::CAUSE, zeroes(bits));
    }

    /// Makes causes abort the engine (IOFC-5): the kernel line writes the whole word, the HAL line
    /// clears those bits alone. The group is not checked (IOFC-9).
    pub fn arm_abort(&self, mmio: &mut impl Mmio, group: Group, bits: u32) {
        if mutant(382) && self.check(group).is_err() {
            return;
        }
        let reads = match self.line {
            Line::Kernel(_) => mutant(373),
            Line::Hal => !mutant(374),
        };
        let offset = group.base() + at::ABORT_MASK;
        let rest = if reads {
            mmio.read32(Space::Engine, offset)
        } else {
            u32::MAX
        };
        mmio.write32(Space::Engine, offset, rest & !bits);
    }

    /// Reads the causes of a group and clears those in `bits`, unless they clear themselves
    /// (IOFC-7). Gives everything that was read.
    pub fn read_and_clear(&self, mmio: &mut impl Mmio, group: Group, bits: u32) -> u32 {
        let cause = mmio.read32(Space::Engine, group.base() + at::CAUSE);
        let control = mmio.read32(Space::Engine, group.base() + at::CONTROL);
        if control & AUTO_CLEAR == 0 || mutant(378) {
            self.clear_cause(mmio, group, cause & bits);
        }
        cause
    }

    /// Clears causes and looks whether they stay clear (IOFC-7).
    ///
    /// # Errors
    /// [`IoficError::Survives`].
    pub fn clear_verify(
        &self,
        mmio: &mut impl Mmio,
        group: Group,
        bits: u32,
    ) -> Result<(), IoficError> {
        self.clear_cause(mmio, group, bits);
        let bits = mmio.read32(Space::Engine, group.base() + at::CAUSE) & bits;
        if bits == 0 || mutant(379) {
            Ok(())
        } else {
            Err(IoficError::Survives { bits })
        }
    }

    /// The causes of a level: a snapshot of all its groups is taken now; the iterator gives group
    /// by group, lowest bits first (IOFC-7).
    pub fn causes(&self, mmio: &mut impl Mmio, level: Level) -> Causes {
        let mut snapshot = [0; 4];
        for number in 0..self.groups(level) {
            let offset = Group { level, number }.base() + at::CAUSE;
            snapshot[number as usize] = mmio.read32(Space::Engine, offset);
        }
        Causes { snapshot, group: 0 }
    }

    /// The bit by which a secondary group shows up in the primary level; none where it is invalid
    /// (IOFC-8).
    pub fn summary_bit(&self, group: u32) -> Option<u32> {
        let valid = if self.revision < THIRD_GROUP_REVISION || mutant(381) {
            2
        } else {
            SUMMARY.len()
        };
        SUMMARY[..valid].get(group as usize).copied()
    }
}

/// Pending causes as (group, bit number).
#[derive(Clone, Debug)]
pub struct Causes {
    snapshot: [u32; 4],
    group: usize,
}

impl Iterator for Causes {
    type Item = (u32, u32);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let cause = self.snapshot.get_mut(self.group)?;
            if *cause == 0 {
                self.group += 1;
                continue;
            }
            let bit = if mutant(380) {
                31 - cause.leading_zeros()
            } else {
                cause.trailing_zeros()
            };
            *cause &= !(1 << bit);
            return Some((self.group as u32, bit));
        }
    }
}

/// A value that acts on `bits` in a register where zeroes act.
fn zeroes(bits: u32) -> u32 {
    if mutant(371) { bits } else { !bits }
}

fn config_at(mmio: &mut impl Mmio, base: u64) {
    let control = if mutant(370) { SET_ON_POSEDGE } else { CONTROL };
    mmio.write32(Space::Engine, base + at::CONTROL, control);
}

fn unmask_at(mmio: &mut impl Mmio, base: u64, bits: u32) {
    let register = if mutant(367) { 0x14 } else { at::MASK_CLEAR };
    mmio.write32(Space::Engine, base + register, zeroes(bits));
}

/// Arms and unmasks one group by the address of its window, which is not checked (IOFC-10).
pub fn unmask_one(mmio: &mut impl Mmio, base: u64, bits: u32) {
    config_at(mmio, base);
    if mutant(384) {
        unmask_at(mmio, base, bits);
    }
    mmio.write32(Space::Engine, base + at::ABORT_MASK, !bits);
    if !mutant(384) {
        unmask_at(mmio, base, bits);
    }
}

/// Arms and unmasks the errors of M2S (IOFC-6).
pub fn unmask_m2s_errors(iofic: &Iofic, mmio: &mut impl Mmio) {
    let own = (Group::A, M2S_ERRORS_A);
    unmask_errors(iofic, mmio, own, M2S_ERRORS_C, M2S_SUMMARY);
}

/// Arms and unmasks the errors of S2M (IOFC-6). The kernel line overwrites group C's abort word:
/// afterwards the S2M half alone is armed there.
pub fn unmask_s2m_errors(iofic: &Iofic, mmio: &mut impl Mmio) {
    let own = (Group::B, S2M_ERRORS_B);
    unmask_errors(iofic, mmio, own, S2M_ERRORS_C, S2M_SUMMARY);
}

fn unmask_errors(
    iofic: &Iofic,
    mmio: &mut impl Mmio,
    (own, errors): (Group, u32),
    shared: u32,
    summary: u32,
) {
    iofic.config(mmio, own);
    iofic.config(mmio, Group::D);
    iofic.arm_abort(mmio, own, errors);
    if !mutant(375) {
        let kept = if mutant(377) { M2S_ERRORS_C } else { 0 };
        iofic.arm_abort(mmio, Group::C, shared | kept);
    }
    // The summary comes last: what is latched below must not get through before its group is set.
    let mut unmasked = [(own, errors), (Group::C, shared), (Group::D, summary)];
    if mutant(376) {
        unmasked.rotate_right(1);
    }
    for (group, bits) in unmasked {
        if group == Group::C && mutant(375) {
            continue;
        }
        // A group that the revision lacks is left as it is.
        let _ = iofic.unmask(mmio, group, bits);
    }
}
