// SPDX-License-Identifier: MIT
//! Decodes Armv7-M and Armv8-M instructions and models their cost in cycles on Cortex-M3 and M4.
//!
//! [`decode_block`] turns code into instructions, and [`Model`] turns instructions, branches and
//! exceptions into tallies. [`Armv7M`] is the interface to both for the replay core; it also
//! recognises exceptions, masks and tasks. Cycles are a linear form of a tally: every rule of the
//! model adds counts to named lanes, and each lane has a low and a high value in cycles. One run
//! therefore yields every corner of the assumptions.
//!
//! The crate knows nothing of QEMU or kernels: the caller reports what was executed, in order.
//! docs/explanation/cycle-model.md lists the rules, the lanes and their sources.
#![forbid(unsafe_code)]

mod constants;
mod decode;
mod exceptions;
mod instruction_set;
mod masks;
mod model;
pub mod register;
mod stack;

pub use decode::{decode_block, decode_block_within, is_wide, Extensions};
pub use instruction_set::{Armv7M, SETS};
pub use model::{Core, Model};
pub use stack::growth as stack_growth;
