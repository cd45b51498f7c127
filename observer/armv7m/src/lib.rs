// SPDX-License-Identifier: MIT
//! What an Armv7-M processor does with its instructions: which they are, and what they may cost.
//!
//! Three parts, each usable alone: [`decode_block`] turns code into [`Instruction`]s; [`Model`]
//! turns instructions, branches and exceptions into [`Tally`]s of a Cortex-M3 or Cortex-M4;
//! [`MemorySystem`] adds what the memories behind the core cost. Cycles are a linear form of a
//! tally: every rule of the model adds counts to named lanes, and each lane has a low and a high
//! value in cycles. One run so yields every corner of the assumptions.
//!
//! Nothing here knows QEMU, files or kernels; a caller says what was executed, in order.
//! docs/cycle-model.md lists the rules, the lanes and their sources.
#![forbid(unsafe_code)]

mod decode;
mod memory;
mod model;
pub mod register;

pub use decode::{decode_block, decode_block_within, is_wide};
pub use memory::{Arrival, Fetches, MemorySystem};
pub use model::{Core, Model};
