//! The pair builder: one TX and one RX descriptor, one copy.
//!
//! Both lines go through the same code; a [`Line`] value decides where they differ (size 0, wide
//! ring ids, the SOW gate).

use crate::arch::Arch;
use crate::desc::{Desc, MAX_LENGTH, field};
use crate::error::Error;
use crate::fault::mutant;
use crate::line::Line;
use crate::meta::MetaCtrl;

/// Ordering modes (BARR-1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(i32)]
pub enum Ordering {
    /// No bit.
    #[default]
    None = 0,
    /// TX word0 bit 30: data memory barrier.
    Dmb = 1,
    /// TX `meta_ctrl` bit 26.
    WriteBarrier = 2,
    /// RX word0 bit 29: strong-ordered write.
    Sow = 3,
}

impl Ordering {
    /// The mode of a number, whatever the line.
    #[inline]
    pub fn from_number(mode: i32) -> Option<Self> {
        let swapped = mutant(25);
        match mode {
            0 => Some(Self::None),
            1 if swapped => Some(Self::WriteBarrier),
            1 => Some(Self::Dmb),
            2 if swapped => Some(Self::Dmb),
            2 => Some(Self::WriteBarrier),
            3 => Some(Self::Sow),
            _ if mutant(26) => Some(Self::None),
            _ => None,
        }
    }
}

/// What a pair is asked to be. Everything is as a caller passes it, so that requests which must be
/// refused can be put.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PairRequest {
    /// Source address.
    pub src: u64,
    /// Destination address.
    pub dst: u64,
    /// Bytes: 1..65536; what 0 does depends on the line (BLDR-5).
    pub size: u64,
    /// Phase of the RX ring; not limited to two bits (BLDR-6).
    pub rx_ring_id: u32,
    /// Phase of the TX ring; not limited to two bits (BLDR-6).
    pub tx_ring_id: u32,
    /// Ordering mode by number (BARR-1), or a number that is not known (BARR-3).
    pub mode: i32,
    /// Interrupt on completion of the RX descriptor.
    pub dst_int: bool,
    /// HAL line: strong-ordered write beside the mode (BLDR-12). The kernel line ignores it.
    pub sow: bool,
}

/// Ordering bits of an accepted request.
#[derive(Clone, Copy)]
pub(crate) struct Order {
    pub dmb: bool,
    pub write_barrier: bool,
    pub sow: bool,
}

impl Order {
    /// BARR-2.
    #[inline]
    fn of(mode: Ordering) -> Self {
        Self {
            dmb: mode == Ordering::Dmb,
            write_barrier: mode == Ordering::WriteBarrier,
            sow: mode == Ordering::Sow,
        }
    }
}

/// Builds pairs as one line does on one architecture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairBuilder {
    /// The line followed.
    pub line: Line,
    /// The architecture; the kernel line does not look at it (BARR-4).
    pub arch: Arch,
}

impl PairBuilder {
    /// A builder.
    #[inline]
    pub const fn new(line: Line, arch: Arch) -> Self {
        Self { line, arch }
    }

    /// Builds one pair into two slots, TX first (BLDR-8). A refused request leaves both slots as
    /// they were (DESC-5).
    ///
    /// # Errors
    /// [`Error::UnknownMode`], then on the HAL line [`Error::NoSow`], then [`Error::Oversize`], and
    /// on the HAL line [`Error::SizeZero`].
    #[inline]
    pub fn build(&self, request: &PairRequest, tx: &mut Desc, rx: &mut Desc) -> Result<(), Error> {
        match self.pair(request) {
            Ok((built_tx, built_rx)) => {
                *tx = built_tx;
                *rx = if mutant(17) {
                    with_word1(built_rx, rx.word1())
                } else {
                    built_rx
                };
                Ok(())
            }
            Err(error) => {
                if mutant(16) && matches!(error, Error::UnknownMode { .. }) {
                    *tx = self.tx(request, Order::of(Ordering::None));
                }
                if mutant(41) && matches!(error, Error::Oversize { .. }) {
                    *rx = self.rx(request, Order::of(Ordering::None));
                }
                Err(error)
            }
        }
    }

    /// The pair as values: TX, RX.
    ///
    /// # Errors
    /// As [`PairBuilder::build`].
    #[inline]
    pub fn pair(&self, request: &PairRequest) -> Result<(Desc, Desc), Error> {
        let order = self.check(request)?;
        Ok((self.tx(request, order), self.rx(request, order)))
    }

    /// Refusals, in the line's order (BARR-3, BLDR-12).
    #[inline]
    fn check(&self, request: &PairRequest) -> Result<Order, Error> {
        if mutant(27) && self.line != Line::Hal {
            self.check_size(request.size)?;
        }
        let order = self.check_mode(request.mode, request.sow)?;
        self.check_size(request.size)?;
        Ok(order)
    }

    /// Ordering bits of a mode, unless it is refused (BARR-3, BARR-4, BARR-5). On the HAL line
    /// `sow` comes beside the mode (BLDR-12).
    #[inline]
    pub(crate) fn check_mode(&self, mode: i32, sow: bool) -> Result<Order, Error> {
        let Some(known) = Ordering::from_number(mode) else {
            return Err(Error::UnknownMode { mode });
        };
        let mut order = Order::of(known);
        match self.line {
            Line::Kernel(version) => {
                if known == Ordering::Sow {
                    if !version.knows_sow() {
                        return Err(Error::UnknownMode { mode }); // BARR-5
                    }
                    if mutant(29) && !self.arch.has_sow() {
                        return Err(Error::NoSow { arch: self.arch });
                    }
                }
            }
            Line::Hal => {
                order.sow |= sow;
                if order.sow & !self.arch.has_sow() && !mutant(28) {
                    return Err(Error::NoSow { arch: self.arch }); // BARR-4
                }
                if mutant(85) && known != Ordering::None {
                    order.sow = known == Ordering::Sow;
                }
            }
        }
        Ok(order)
    }

    /// BLDR-4, BLDR-5.
    #[inline]
    pub(crate) fn check_size(&self, size: u64) -> Result<(), Error> {
        if size > u64::from(MAX_LENGTH) {
            let modulo = mutant(93) && self.line == Line::Hal && size as u32 == 0;
            if !modulo && !mutant(34) {
                return Err(Error::Oversize { size });
            }
        }
        let refuses_zero = match self.line {
            Line::Hal => !mutant(37),
            Line::Kernel(_) => mutant(36),
        };
        if size == 0 && refuses_zero {
            return Err(Error::SizeZero);
        }
        Ok(())
    }

    /// BLDR-6.
    #[inline]
    pub(crate) fn ring_bits(&self, ring_id: u32) -> u32 {
        let bits = ring_id << field::RING_ID_SHIFT;
        let masked = match self.line {
            Line::Hal => !mutant(39),
            Line::Kernel(_) => mutant(38),
        };
        if masked { bits & field::RING_ID } else { bits }
    }

    /// BLDR-1.
    #[inline]
    fn tx(&self, request: &PairRequest, order: Order) -> Desc {
        let mut word0 = field::FIRST
            | if mutant(31) { 0 } else { field::LAST }
            | self.ring_bits(request.tx_ring_id)
            | length_bits(request.size);
        if order.dmb && !mutant(2) {
            word0 |= field::DMB;
        }
        if order.sow && mutant(5) {
            word0 |= field::SOW;
        }
        let mut meta = MetaCtrl::plain_copy();
        if order.write_barrier {
            meta = meta.with_write_barrier();
        }
        let src = if mutant(10) { request.dst } else { request.src };
        Desc::new(
            word0,
            meta.0,
            if mutant(88) { src & !(1 << 63) } else { src },
        )
    }

    /// BLDR-2.
    #[inline]
    pub(crate) fn rx(&self, request: &PairRequest, order: Order) -> Desc {
        let ring_id = if mutant(33) {
            request.tx_ring_id
        } else {
            request.rx_ring_id
        };
        let short = u64::from(mutant(107) && request.size > 1);
        let mut word0 = self.ring_bits(ring_id) | length_bits(request.size - short);
        if order.sow && !mutant(5) && !(mutant(40) && request.dst_int) {
            word0 |= field::SOW;
        }
        if request.dst_int {
            word0 |= if mutant(32) {
                field::LAST
            } else {
                field::INT_EN
            };
        }
        if order.dmb && mutant(2) {
            word0 |= field::DMB;
        }
        if mutant(3) {
            word0 |= field::FIRST;
        }
        let word1 = if mutant(13) {
            crate::meta::PLAIN_COPY
        } else {
            0
        };
        let mut dst = if mutant(10) { request.src } else { request.dst };
        if mutant(89) && u32::try_from(dst).is_ok() {
            dst = dst as u32 as i32 as u64;
        }
        Desc::new(word0, word1, dst)
    }
}

/// The same descriptor with another word1.
fn with_word1(mut desc: Desc, word1: u32) -> Desc {
    desc.set_word1(word1);
    desc
}

/// DESC-3, BLDR-1: 65536 is encoded as 0.
#[inline]
pub(crate) fn length_bits(size: u64) -> u32 {
    let size = size as u32;
    if mutant(4) && size == MAX_LENGTH {
        size
    } else {
        size & field::LENGTH
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::line::DriverVersion;

    const KERNEL: Line = Line::Kernel(DriverVersion::V2_26_5);

    fn build(line: Line, arch: Arch, request: &PairRequest) -> Result<[Desc; 2], Error> {
        let mut pair = [Desc::from_words([0xa5a5_a5a5; 4]); 2];
        let [tx, rx] = &mut pair;
        let before = (*tx, *rx);
        let result = PairBuilder::new(line, arch).build(request, tx, rx);
        if result.is_err() {
            assert_eq!((*tx, *rx), before, "DESC-5");
        }
        result.map(|()| pair)
    }

    // golden/copy_pair case 1.
    #[test]
    fn recorded_pair() {
        let request = PairRequest {
            src: 0xeb3e_c858_fff3_3369,
            dst: 0xfd21_0a78_9c53_f019,
            size: 65535,
            dst_int: true,
            ..PairRequest::default()
        };
        for line in [KERNEL, Line::Hal] {
            let [tx, rx] = build(line, Arch::Sunda, &request).unwrap();
            assert_eq!(
                tx,
                Desc::new(0x0c00_ffff, 0x0108_0003, 0xeb3e_c858_fff3_3369)
            );
            assert_eq!(rx, Desc::new(0x1000_ffff, 0, 0xfd21_0a78_9c53_f019));
        }
    }

    #[test]
    fn lines_part_on_size_0_wide_ids_and_the_sow_gate() {
        let zero = PairRequest::default();
        assert!(build(KERNEL, Arch::Sunda, &zero).is_ok()); // BLDR-5
        assert_eq!(build(Line::Hal, Arch::Sunda, &zero), Err(Error::SizeZero));

        let wide = PairRequest {
            size: 1,
            tx_ring_id: 5,
            ..zero
        };
        assert_eq!(
            build(KERNEL, Arch::Sunda, &wide).unwrap()[0].word0(),
            0x0d00_0001
        ); // BLDR-6
        let spilt = PairRequest {
            size: 1,
            rx_ring_id: 4,
            ..zero
        };
        assert_eq!(
            build(KERNEL, Arch::Sunda, &spilt).unwrap()[1].word0(),
            0x0400_0001
        );
        assert_eq!(
            build(Line::Hal, Arch::Sunda, &spilt).unwrap()[1].word0(),
            0x0000_0001
        );

        let sow = PairRequest {
            size: 1,
            mode: 3,
            ..zero
        };
        assert_eq!(
            build(KERNEL, Arch::Sunda, &sow).unwrap()[1].word0(),
            0x2000_0001
        ); // BARR-4
        assert_eq!(
            build(Line::Hal, Arch::Sunda, &sow),
            Err(Error::NoSow { arch: Arch::Sunda })
        );
        assert_eq!(
            build(Line::Hal, Arch::Cayman, &sow).unwrap()[1].word0(),
            0x2000_0001
        );
    }
}
