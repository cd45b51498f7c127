// SPDX-License-Identifier: MIT
//! RV32IMC with its control and status registers: which instructions code holds, and what they
//! cost on Ibex.
//!
//! [`decode_block`] turns code into instructions, [`Model`] these into tallies; [`Constants`] knows
//! registers that the code of a block fills with constants. Section numbers are those of the
//! unprivileged specification 20191213 and the privileged one 20211203.
#![forbid(unsafe_code)]

mod constants;
mod decode;
mod effects;
mod model;
pub mod register;

pub use constants::Constants;
pub use decode::{decode_block, is_wide};
pub use effects::{masking, stack_growth, Masking};
pub use model::Model;
