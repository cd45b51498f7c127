// SPDX-License-Identifier: MIT
//! The words that the observer's parts share about any processor: decoded instructions, tallies,
//! lanes, what happens at an exception, and how memories are described.
//!
//! Not here: how instructions are encoded and what they cost. Each instruction set has a crate for
//! that (`ticklab-armv7m`, `ticklab-rv32`).
#![forbid(unsafe_code)]

mod instruction;
mod profile;
mod tally;
mod timing;

pub use instruction::{Class, Flow, Instruction, Register, Registers};
pub use profile::{Cache, Devices, Flash, Profile, ProfileError};
pub use tally::{counted, Tally, COUNTED, LANES};
pub use timing::{accesses, takes, Cycles, Exception, Frame, Lane};
