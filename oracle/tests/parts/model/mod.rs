//! Tests of the model through its own face.

mod bounds;
mod cycle;
mod driver;
mod litmus;
mod packets;
mod transfer;
