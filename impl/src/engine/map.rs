//! Where registers lie (REGS-1): look-ups in the tables, by name and at compile time.

pub use super::tables::{BLOCKS, REGIONS};

/// A register block: names and places of its registers.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    /// Name in the register map.
    pub name: &'static str,
    /// Bytes.
    pub size: u64,
    /// Its registers.
    pub regs: &'static [Reg],
}

/// A register, or an array of them, in its block.
#[derive(Clone, Copy, Debug)]
pub struct Reg {
    /// Name in the register map.
    pub name: &'static str,
    /// Bytes from the start of the block.
    pub offset: u64,
    /// Bytes.
    pub size: u64,
}

/// A region of the engine.
#[derive(Clone, Copy, Debug)]
pub struct Region {
    /// Path from the engine base: `m2s.m2s_q`.
    pub path: &'static str,
    /// Bytes from the engine base.
    pub offset: u64,
    /// Bytes.
    pub size: u64,
    /// Elements of an array, else 0.
    pub count: u64,
    /// Bytes from one element to the next, else 0.
    pub stride: u64,
}

/// Registers common to the rings of both directions.
pub const RINGS: &str = "udma_rings_regs";

/// The block of a name.
pub const fn block(name: &str) -> Option<&'static Block> {
    let mut index = 0;
    while index < BLOCKS.len() {
        if same(BLOCKS[index].name, name) {
            return Some(&BLOCKS[index]);
        }
        index += 1;
    }
    None
}

/// The region of a path.
pub const fn region(path: &str) -> Option<&'static Region> {
    let mut index = 0;
    while index < REGIONS.len() {
        if same(REGIONS[index].path, path) {
            return Some(&REGIONS[index]);
        }
        index += 1;
    }
    None
}

impl Block {
    /// The register of a name.
    pub const fn reg(&self, name: &str) -> Option<&'static Reg> {
        let mut index = 0;
        while index < self.regs.len() {
            if same(self.regs[index].name, name) {
                return Some(&self.regs[index]);
            }
            index += 1;
        }
        None
    }
}

/// Offset of a register in its block, for constants: a name that is not in the tables does not
/// compile.
pub(crate) const fn offset(block_name: &str, reg: &str) -> u64 {
    block(block_name)
        .expect("block")
        .reg(reg)
        .expect("register")
        .offset
}

/// Offset of a region, for constants.
pub(crate) const fn base(path: &str) -> u64 {
    region(path).expect("region").offset
}

/// Distance between the elements of a region, for constants.
pub(crate) const fn stride(path: &str) -> u64 {
    region(path).expect("region").stride
}

const fn same(left: &str, right: &str) -> bool {
    let (left, right) = (left.as_bytes(), right.as_bytes());
    if left.len() != right.len() {
        return false;
    }
    let mut index = 0;
    while index < left.len() {
        if left[index] != right[index] {
            return false;
        }
        index += 1;
    }
    true
}
