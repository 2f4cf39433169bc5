//! Handles of transfers that are waited for later (ASYN-1).

use crate::error::Error;
use crate::fault::mutant;

/// Which of a queue's three slots a transfer uses, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(i32)]
pub enum Handle {
    /// No transfer before this one.
    None = -1,
    /// The call waits for its own transfer.
    Sync = 0,
    /// First asynchronous slot.
    Async1 = 1,
    /// Second asynchronous slot.
    Async2 = 2,
}

impl Handle {
    /// The handle of a number.
    ///
    /// # Errors
    /// [`Error::NoHandle`] below -1 or above 2.
    pub fn from_number(handle: i32) -> Result<Self, Error> {
        match handle {
            -1 => Ok(Self::None),
            0 => Ok(Self::Sync),
            1 => Ok(Self::Async1),
            2 => Ok(Self::Async2),
            3 if mutant(158) => Ok(Self::Async1),
            _ => Err(Error::NoHandle { handle }),
        }
    }

    /// The number.
    pub const fn number(self) -> i32 {
        self as i32
    }

    /// The handle of the transfer that follows `self` (ASYN-1).
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::Sync if mutant(157) => Self::Async1,
            Self::Sync => Self::Sync,
            Self::None | Self::Async2 => Self::Async1,
            Self::Async1 => Self::Async2,
        }
    }

    /// Index of its slot.
    pub(crate) const fn slot(self) -> Option<usize> {
        match self {
            Self::None => None,
            _ => Some(self as usize),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps() {
        let next = |number| Handle::from_number(number).map(|handle| handle.next().number());
        assert_eq!(
            [-1, 0, 1, 2].map(next),
            [Ok(1), Ok(0), Ok(2), Ok(1)] // ASYN-1
        );
        for handle in [-2, 3, i32::MIN, i32::MAX] {
            assert_eq!(next(handle), Err(Error::NoHandle { handle }));
        }
    }
}
