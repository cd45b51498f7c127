// SPDX-License-Identifier: MIT
//! Decodes RV32IMC and models the cost of its instructions in cycles on Ibex and CV32E40S.
//!
//! [`decode_block`] turns code into instructions, and [`Ibex`] and [`Cv32e40s`] turn instructions
//! into tallies.
//! [`Constants`] computes register values that a block derives from constants. Section numbers are
//! those of the unprivileged specification 20191213 and the privileged specification 20211203.
#![forbid(unsafe_code)]

mod constants;
mod decode;
mod effects;
mod instruction_set;
mod model;
pub mod register;
mod traps;

pub use constants::Constants;
pub use decode::{decode_block, is_wide};
pub use instruction_set::{Rv32, SETS};
pub use model::{Cv32e40s, Ibex};
