//! The pair builder: one TX and one RX descriptor, one copy.
//!
//! Both lines go through the same code; a [`Line`] value decides where they differ (size 0, wide
//! ring ids, the SOW gate).

use crate::arch::Arch;
use crate::desc::{Desc, MAX_LENGTH, field};
use crate::error::Error;
use crate::fault::{COMPILED_IN, mutant};
use crate::line::Line;
use crate::ordering::{Heads, Order, Ordering};

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
                let plain = Heads::of(Order::of(Ordering::None), request.dst_int);
                if mutant(16) && matches!(error, Error::UnknownMode { .. }) {
                    *tx = self.tx(request, &plain);
                }
                if mutant(41) && matches!(error, Error::Oversize { .. }) {
                    *rx = self.rx_of(request, &plain);
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
        match self.plain_pair(request) {
            Some(pair) => Ok(pair),
            None => self.checked_pair(request),
        }
    }

    /// The pair of a request that a glance accepts. None says nothing about a request:
    /// [`PairBuilder::pair`] has the answer then.
    #[inline]
    #[expect(
        clippy::needless_bitwise_bool,
        reason = "most requests pass: one branch for all"
    )]
    pub fn plain_pair(&self, request: &PairRequest) -> Option<(Desc, Desc)> {
        let mode = request.mode as u32;
        let (beside, least) = match self.line {
            Line::Kernel(_) => (false, 0),
            Line::Hal => (request.sow, 1), // BLDR-12, BLDR-5
        };
        let sized = request.size.wrapping_sub(least) <= u64::from(MAX_LENGTH) - least;
        // Planted beliefs live in the checks.
        if COMPILED_IN | (mode >= self.modes()) | beside | !sized {
            return None;
        }
        let heads = Heads::plain(mode as usize & 3, request.dst_int);
        Some((self.tx(request, &heads), self.rx_of(request, &heads)))
    }

    /// How many modes are accepted, from 0 on: all four, or all but [`Ordering::Sow`].
    #[inline]
    fn modes(&self) -> u32 {
        let sow = match self.line {
            Line::Kernel(version) => version.knows_sow(), // BARR-5
            Line::Hal => self.arch.has_sow(),             // BARR-4
        };
        3 + u32::from(sow)
    }

    /// The pair of any request.
    fn checked_pair(&self, request: &PairRequest) -> Result<(Desc, Desc), Error> {
        let heads = Heads::of(self.check(request)?, request.dst_int);
        Ok((self.tx(request, &heads), self.rx_of(request, &heads)))
    }

    /// Refusals, in the line's order (BARR-3, BLDR-12).
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
    fn tx(&self, request: &PairRequest, heads: &Heads) -> Desc {
        let size = match request.size {
            65535 if mutant(400) => 65536,
            1 if mutant(401) => 0,
            size => size,
        };
        let variable = self.ring_bits(request.tx_ring_id) | length_bits(size);
        let mut src = if mutant(10) { request.dst } else { request.src };
        if mutant(402) && src as u32 == 0 {
            src = 0;
        }
        Desc::from_halves(
            heads.tx | u64::from(variable),
            if mutant(88) { src & !(1 << 63) } else { src },
        )
    }

    /// BLDR-2.
    pub(crate) fn rx(&self, request: &PairRequest, order: Order) -> Desc {
        self.rx_of(request, &Heads::of(order, request.dst_int))
    }

    /// BLDR-2.
    #[inline]
    fn rx_of(&self, request: &PairRequest, heads: &Heads) -> Desc {
        let ring_id = if mutant(33) {
            request.tx_ring_id
        } else {
            request.rx_ring_id
        };
        let short = u64::from(mutant(107) && request.size > 1);
        let variable = self.ring_bits(ring_id) | length_bits(request.size - short);
        let mut dst = if mutant(10) { request.src } else { request.dst };
        if mutant(89) && u32::try_from(dst).is_ok() {
            dst = dst as u32 as i32 as u64;
        }
        if mutant(403) && dst as u32 == 0 {
            dst = 0;
        }
        Desc::from_halves(heads.rx | u64::from(variable), dst)
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
    fn a_glance_and_the_checks_agree() {
        let lines = DriverVersion::ALL
            .map(Line::Kernel)
            .into_iter()
            .chain([Line::Hal]);
        for (line, arch) in lines.flat_map(|line| Arch::ALL.map(|arch| (line, arch))) {
            let builder = PairBuilder::new(line, arch);
            for bits in 0..64u32 {
                for size in [0, 1, 65535, 65536, 65537, 1 << 32, u64::MAX] {
                    let request = PairRequest {
                        src: 0x0123_4567_89ab_cdef,
                        dst: 0xfedc_ba98_7654_3210,
                        size,
                        rx_ring_id: 0x45,
                        tx_ring_id: 0xffff_ffff,
                        mode: (bits & 15) as i32 - 4,
                        dst_int: bits & 16 != 0,
                        sow: bits & 32 != 0,
                    };
                    let glance = builder.plain_pair(&request);
                    let checked = builder.checked_pair(&request);
                    assert!(glance.is_none_or(|pair| checked == Ok(pair)), "{request:?}");
                    let beside = line == Line::Hal && request.sow;
                    let missed = glance.is_none() && checked.is_ok() && !beside;
                    assert!(COMPILED_IN || !missed, "{request:?}");
                }
            }
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
