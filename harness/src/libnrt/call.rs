//! Calls by signature: arguments by name, memory between fences.

use super::known::{Argument, Gives, MOST_ARGUMENTS, Signature};

/// What memory holds that no function has written.
pub const UNTOUCHED: [u32; 4] = [0xa55a_c33c, 0x5aa5_3cc3, 0xdead_c0de, 0x1bad_b002];
/// What stands around it.
const FENCE: [u32; 4] = [0x0ff1_ce00, 0x7e57_0001, 0xfe4c_e000, 0x600d_f00d];

/// Four slots of 16 bytes, a fence around each.
#[repr(C, align(16))]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Memory {
    all: [[u32; 4]; 9],
}

/// Slot of the first descriptor or queue: desc, tx, w0, meta, queue.
pub const FIRST: usize = 0;
/// Slot of the second: rx.
pub const SECOND: usize = 1;
/// Slot of an index: tx_idx.
pub const FIRST_INDEX: usize = 2;
/// Slot of an index: rx_idx.
pub const SECOND_INDEX: usize = 3;

impl Default for Memory {
    fn default() -> Self {
        let mut all = [FENCE; 9];
        for slot in 0..4 {
            all[2 * slot + 1] = UNTOUCHED;
        }
        Self { all }
    }
}

impl Memory {
    /// Memory whose first slots hold this.
    pub fn of(slots: &[[u32; 4]]) -> Self {
        let mut memory = Self::default();
        for (at, words) in slots.iter().enumerate() {
            *memory.slot(at) = *words;
        }
        memory
    }

    /// A slot.
    pub fn slot(&mut self, number: usize) -> &mut [u32; 4] {
        &mut self.all[2 * number + 1]
    }

    /// Whether nothing was written around the slots.
    pub fn fenced(&self) -> bool {
        self.all.iter().step_by(2).all(|words| *words == FENCE)
    }

    /// Address of what a pointer argument points to; none for other arguments.
    fn pointer(&mut self, name: &str) -> Option<u64> {
        let (slot, word) = match name {
            "desc" | "tx" | "w0" | "queue" => (FIRST, 0),
            "meta" => (FIRST, 1),
            "rx" => (SECOND, 0),
            "tx_idx" => (FIRST_INDEX, 0),
            "rx_idx" => (SECOND_INDEX, 0),
            _ => return None,
        };
        // Of the whole, so that a function may be off by a slot and meet a fence.
        let base = self.all.as_mut_ptr() as u64;
        Some(base + 16 * (2 * slot as u64 + 1) + 4 * word)
    }
}

/// A function that may be called.
#[derive(Clone, Debug)]
pub struct Function {
    /// Where it is.
    pub address: u64,
    /// How it is called.
    pub signature: Signature,
}

/// Values of the arguments that are no pointers.
pub type Values<'a> = &'a [(&'a str, u64)];

impl Function {
    /// Calls it; gives what it gives, cut to its type. Arguments that have no value are 0.
    ///
    /// # Safety
    /// There is such a function at the address, and it keeps to its signature.
    pub unsafe fn call(&self, memory: &mut Memory, values: Values) -> u32 {
        let mut numbers = [0; MOST_ARGUMENTS];
        for (number, argument) in numbers.iter_mut().zip(&self.signature.arguments) {
            *number = match argument {
                Argument::Constant(constant) => *constant,
                Argument::Named(name) => memory.pointer(name).unwrap_or_else(|| {
                    let value = values.iter().find(|(known, _)| known == name);
                    value.map_or(0, |(_, value)| *value)
                }),
            };
        }
        // SAFETY: as asked of the caller.
        let given = unsafe { call(self.address, &numbers, self.signature.arguments.len()) };
        match self.signature.gives {
            Gives::Void => 0,
            Gives::Bool => (given & 0xff) as u32,
            Gives::Int | Gives::Number => given as u32,
        }
    }
}

/// Calls a function of integers and pointers. Six go into registers, further ones onto the stack; the caller
/// takes them off again, so that more than the function has do no harm.
///
/// # Safety
/// As for [`Function::call`].
unsafe fn call(address: u64, numbers: &[u64; MOST_ARGUMENTS], count: usize) -> u64 {
    type Six = unsafe extern "C" fn(u64, u64, u64, u64, u64, u64) -> u64;
    type All = unsafe extern "C" fn(
        u64,
        u64,
        u64,
        u64,
        u64,
        u64,
        u64,
        u64,
        u64,
        u64,
        u64,
        u64,
        u64,
        u64,
        u64,
        u64,
    ) -> u64;
    let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = *numbers;
    let address = address as usize as *const ();
    // SAFETY: the caller says that a function is there.
    unsafe {
        if count <= 6 {
            std::mem::transmute::<*const (), Six>(address)(a, b, c, d, e, f)
        } else {
            std::mem::transmute::<*const (), All>(address)(
                a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p,
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::libnrt::known::built_in;

    extern "C" fn weigh(
        a: u32,
        b: u64,
        c: u8,
        d: u32,
        e: u32,
        f: u32,
        g: u64,
        h: u8,
        i: u32,
    ) -> u32 {
        let sum = u64::from(a) + 3 * b + 5 * u64::from(c) + 7 * u64::from(d) + 11 * u64::from(e);
        (sum + 13 * u64::from(f) + 17 * g + 19 * u64::from(h) + 23 * u64::from(i)) as u32
    }

    #[test]
    fn arguments_arrive_in_registers_and_on_the_stack() {
        let function = Function {
            address: weigh as *const () as u64,
            signature: built_in().expect("the table")["al_sdma_m2s_build_min_max_meta_ctrl"]
                .clone(),
        };
        let names = [
            "sub",
            "last",
            "use_const",
            "write_barrier",
            "notification",
            "in_dtype",
            "out_dtype",
            "accum_dtype",
            "const_dtype",
        ];
        let values: Vec<(&str, u64)> = names.into_iter().zip(1..).collect();
        let mut memory = Memory::default();
        // SAFETY: nine integers, as the signature says.
        let got = unsafe { function.call(&mut memory, &values) };
        assert_eq!(got, 1 + 6 + 15 + 28 + 55 + 78 + 119 + 152 + 207);
        assert!(memory.fenced());
    }
}
