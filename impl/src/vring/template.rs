//! Templates: symbolic pointers and their resolution (TMPL-1, TMPL-2).

use super::edit::set_pointer;
use super::{Error, Half, Vring};
use crate::desc::Desc;
use crate::fault::mutant;
use crate::io::Side;

mod field {
    /// Marks a pointer as symbolic.
    pub const SYMBOLIC: u64 = 1 << 61;
    pub const VARIABLE_SHIFT: u32 = 36;
    /// 19 bits.
    pub const VARIABLE: u64 = 0x7_ffff;
    /// 36 bits.
    pub const OFFSET: u64 = (1 << 36) - 1;
}

/// A symbolic pointer: an offset from the address of a variable (TMPL-1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Symbol {
    variable: u32,
    offset: u64,
}

impl Symbol {
    /// Largest variable id, 19 bits.
    pub const MAX_VARIABLE: u32 = field::VARIABLE as u32;
    /// Largest offset, 36 bits.
    pub const MAX_OFFSET: u64 = field::OFFSET;

    /// None if a value does not fit its field.
    pub const fn new(variable: u32, offset: u64) -> Option<Self> {
        if variable > Self::MAX_VARIABLE || offset > Self::MAX_OFFSET {
            None
        } else {
            Some(Self { variable, offset })
        }
    }

    /// Variable id.
    pub const fn variable(self) -> u32 {
        self.variable
    }

    /// Offset in bytes.
    pub const fn offset(self) -> u64 {
        self.offset
    }

    /// Reads a pointer; none if it is concrete. Bits 63:62 and 60:55 are ignored.
    #[inline]
    pub fn parse(pointer: u64) -> Option<Self> {
        let mark = if mutant(260) {
            field::SYMBOLIC << 2
        } else {
            field::SYMBOLIC
        };
        if pointer & mark == 0 || mutant(261) && pointer >> 62 != 0 {
            return None;
        }
        let variables = if mutant(263) { 0xffff } else { field::VARIABLE };
        let offsets = if mutant(262) {
            u64::from(u32::MAX)
        } else {
            field::OFFSET
        };
        Some(Self {
            variable: (pointer >> field::VARIABLE_SHIFT & variables) as u32,
            offset: pointer & offsets,
        })
    }

    /// The pointer; the ignored bits are 0.
    pub const fn emit(self) -> u64 {
        field::SYMBOLIC | (self.variable as u64) << field::VARIABLE_SHIFT | self.offset
    }
}

impl Vring {
    /// Marks both halves as templates whose symbolic pointers name variables 0 to `max_var_id`.
    pub fn mark_template(&mut self, max_var_id: u32) {
        self.tx.set_template(true, max_var_id);
        self.rx.set_template(true, max_var_id);
    }

    /// Replaces every symbolic pointer by its variable's address plus the offset, modulo 2^64; how
    /// many there were. `addresses` are those of variables 0, 1, and so on. Afterwards the halves
    /// are templates no more. What makes a pointer symbolic is its bit 61 alone; META descriptors of
    /// TX hold no pointer (DESC-2).
    ///
    /// # Errors
    /// [`Error::VariableAbove`], [`Error::VariableMissing`] of the first pointer at fault, TX
    /// before RX; nothing is resolved then (TMPL-2).
    pub fn resolve(&mut self, addresses: &[u64]) -> Result<u64, Error> {
        if mutant(265) {
            let resolved = apply(&mut self.tx, Side::Tx, addresses)?;
            return Ok(resolved + apply(&mut self.rx, Side::Rx, addresses)?);
        }
        for side in [Side::Tx, Side::Rx] {
            check(self.half(side), side, addresses)?;
        }
        let mut resolved = 0;
        for side in [Side::Tx, Side::Rx] {
            let half = self.half_mut(side);
            resolved += apply(half, side, addresses)?;
            half.set_template(false, half.max_var_id());
        }
        Ok(resolved)
    }
}

/// Address of a variable (TMPL-2).
#[inline]
fn address(symbol: Symbol, max: u32, addresses: &[u64]) -> Result<u64, Error> {
    let variable = symbol.variable;
    if variable > max || mutant(266) && variable == max {
        return Err(Error::VariableAbove { variable, max });
    }
    match addresses.get(variable as usize) {
        Some(address) => Ok(*address),
        None if mutant(267) => Ok(0),
        None => Err(Error::VariableMissing { variable }),
    }
}

/// The symbol of a descriptor. META means something on TX alone.
#[inline]
fn symbol_of(side: Side, desc: &Desc) -> Option<Symbol> {
    if side == Side::Tx && desc.meta() {
        None
    } else {
        Symbol::parse(desc.pointer())
    }
}

fn check(half: &Half, side: Side, addresses: &[u64]) -> Result<(), Error> {
    for desc in half.iter() {
        if let Some(symbol) = symbol_of(side, desc) {
            address(symbol, half.max_var_id(), addresses)?;
        }
    }
    Ok(())
}

fn apply(half: &mut Half, side: Side, addresses: &[u64]) -> Result<u64, Error> {
    let (max, mut resolved) = (half.max_var_id(), 0);
    for run in half.runs_mut(0..half.used()) {
        for desc in run {
            if let Some(symbol) = symbol_of(side, desc) {
                let base = address(symbol, max, addresses)?;
                set_pointer(desc, base.wrapping_add(symbol.offset));
                resolved += 1;
            }
        }
    }
    Ok(resolved)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_by_hand() {
        // Bit 61; variable 2 is 2 << 36 = 0x20_0000_0000; offset 0x10.
        let symbol = Symbol::new(2, 0x10).unwrap();
        assert_eq!(symbol.emit(), 0x2000_0020_0000_0010);
        assert_eq!(Symbol::parse(0x2000_0020_0000_0010), Some(symbol));
        // Bits 63:62 and 60:55 are ignored when read.
        assert_eq!(Symbol::parse(0xff80_0020_0000_0010), Some(symbol));
        assert_eq!(Symbol::parse(0xdf80_0020_0000_0010), None);
        let largest = Symbol::new(0x7_ffff, 0xf_ffff_ffff).unwrap();
        assert_eq!(largest.emit(), 0x207f_ffff_ffff_ffff);
        assert_eq!(Symbol::new(0x8_0000, 0), None);
        assert_eq!(Symbol::new(0, 0x10_0000_0000), None);
    }

    #[test]
    fn resolved_whole_or_not_at_all() {
        let mut vring = Vring::new("v");
        let [zero, five] = [0, 5].map(|variable| Symbol::new(variable, 8).unwrap().emit());
        let tx = |pointer| Desc::new(0x0d00_0001, 0x0108_0003, pointer);
        vring.add_raw(Side::Tx, tx(zero)).unwrap();
        vring
            .add_raw(Side::Rx, Desc::new(0x0100_0001, 0, five))
            .unwrap();
        vring.mark_template(5);
        assert_eq!(
            vring.resolve(&[0x100; 5]),
            Err(Error::VariableMissing { variable: 5 })
        );
        assert_eq!(vring.half(Side::Tx).get(0), Some(&tx(zero)));
        assert!(vring.half(Side::Tx).is_template());
        assert_eq!(vring.resolve(&[0x100, 0, 0, 0, 0, u64::MAX]), Ok(2));
        assert_eq!(vring.half(Side::Tx).get(0), Some(&tx(0x108)));
        assert_eq!(vring.half(Side::Rx).get(0).unwrap().pointer(), 7);
        assert!(!vring.half(Side::Tx).is_template());
    }
}
