// SPDX-License-Identifier: MIT
//! Defines the types that the observer's parts share for all processors: decoded instructions,
//! tallies, lanes, exceptions, and the timing of memories.
//!
//! The encodings and costs of instructions are not here: each instruction set has a crate for them.
#![forbid(unsafe_code)]

mod instruction;
mod profile;
mod tally;
mod timing;

pub use instruction::{Class, Flow, Instruction, Register, Registers};
pub use profile::{Cache, Devices, Flash, Profile, ProfileError};
pub use tally::{counted, Tally, COUNTED, LANES};
pub use timing::{accesses, takes, Cycles, Exception, ExceptionFrame, Lane};
