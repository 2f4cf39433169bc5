//! Sets of vrings (VRNG-6).

use alloc::string::String;
use alloc::vec::Vec;

use super::{Error, Name, Vring};
use crate::fault::mutant;

/// Most vrings of a set.
pub const SET_VRINGS: usize = 16;

/// Up to 16 vrings named `<set>_<index>` with one stochastic-rounding flag.
#[derive(Debug)]
pub struct VringSet {
    /// Name that theirs begin with.
    name: String,
    /// Flag that each starts with.
    stochastic_rounding: bool,
    /// The vrings, by index.
    vrings: Vec<Vring>,
}

impl VringSet {
    /// An empty set.
    pub fn new(name: &str, stochastic_rounding: bool) -> Self {
        Self {
            name: name.into(),
            stochastic_rounding,
            vrings: Vec::new(),
        }
    }

    /// Adds an empty vring under the next index.
    ///
    /// # Errors
    /// [`Error::SetFull`], [`Error::NoMemory`].
    pub fn add(&mut self) -> Result<&mut Vring, Error> {
        let index = self.vrings.len();
        let most = if mutant(208) {
            SET_VRINGS + 1
        } else {
            SET_VRINGS
        };
        if index >= most {
            return Err(Error::SetFull);
        }
        self.vrings.try_reserve(1).map_err(|_| Error::NoMemory)?;
        let mut vring = Vring::new("");
        vring.name = Name::of_set(&self.name, index);
        vring.set_stochastic_rounding(self.stochastic_rounding && !mutant(210));
        self.vrings.push(vring);
        self.vrings.last_mut().ok_or(Error::NoMemory)
    }

    /// The vrings, by index.
    pub fn vrings(&self) -> &[Vring] {
        &self.vrings
    }

    /// The vrings, to be changed.
    pub fn vrings_mut(&mut self) -> &mut [Vring] {
        &mut self.vrings
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn sixteen_named_after_the_set() {
        let mut set = VringSet::new("load", true);
        for index in 0..16 {
            let vring = set.add().unwrap();
            assert_eq!(vring.name().to_string(), alloc::format!("load_{index}"));
            assert!(vring.stochastic_rounding());
        }
        assert_eq!(set.add().unwrap_err(), Error::SetFull);
        assert_eq!(set.vrings().len(), 16);
    }
}
