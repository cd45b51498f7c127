// SPDX-License-Identifier: MIT
//! Decodes Armv7-M instructions and models their cost in cycles on Cortex-M3 and Cortex-M4.
//!
//! The crate has three parts, each usable alone. [`decode_block`] turns code into [`Instruction`]s.
//! [`Model`] turns instructions, branches and exceptions into [`Tally`]s. [`MemorySystem`] adds the
//! stalls of the memories that the core fetches from. Cycles are a linear form of a tally: every
//! rule of the model adds counts to named lanes, and each lane has a low and a high value in
//! cycles. One run therefore yields every corner of the assumptions.
//!
//! The crate knows nothing of QEMU, files or kernels: the caller reports what was executed, in
//! order. docs/explanation/cycle-model.md lists the rules, the lanes and their sources.
#![forbid(unsafe_code)]

mod decode;
mod memory;
mod model;
pub mod register;

pub use decode::{decode_block, decode_block_within, is_wide};
pub use memory::{Arrival, Fetches, MemorySystem};
pub use model::{Core, Model};
