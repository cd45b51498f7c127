// SPDX-License-Identifier: MIT
//! The replay core: converts executed blocks into the records of an event log.
//!
//! A target reports the executed blocks of code, how far each was executed, and the passes of
//! marks. The core keeps a shadow of the exception stack, adds up tallies and writes the log. It
//! has no other input or output.
//!
//! Observing a target (`ticklab-qemu-plugin`) and all that depends on the instruction set
//! (`ticklab-processor`) are not here.
#![forbid(unsafe_code)]

mod account;
mod block;
mod block_exit;
mod budget;
mod core;
mod edges;
mod frames;
mod log;
mod log_line;
mod plan;
mod position;
mod program;
mod setup;
mod tasks;

pub use crate::core::Core;
pub use block::{Block, BlockId, Checkpoint};
pub use log::{Ending, Header, Lane, Log, LogRecord, LogRecordKind, Reader, Trailer};
pub use plan::{Modelling, Passes, Plan, PlannedMark, Until};
pub use tasks::TaskSwitches;
pub use ticklab_image::{Error, Image, Mark};
pub use ticklab_isa::Instruction;
pub use ticklab_processor::{CodeState, Context, InstructionSet, Moves};

/// The observer's version in the header of a log.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
