//! The ring cycle: so far its start, the doorbells.

pub mod doorbell;
