// SPDX-License-Identifier: MIT
//! The replay core: converts executed blocks into the records of an event log.
//!
//! A target reports the executed blocks of code, how far each was executed, and the passes of
//! marks. The core keeps a shadow of the exception stack, adds up tallies and writes the log. It
//! has no other input or output, so the same implementation serves the QEMU plugin at full speed
//! and recordings later.
//!
//! Observing a target (`ticklab-qemu-plugin`) and the costs of instructions (`ticklab-armv7m`,
//! `ticklab-rv32`) are not here.
#![forbid(unsafe_code)]

mod block;
mod block_exit;
mod budget;
mod core;
mod edges;
mod error;
mod exceptions;
mod frames;
mod handlers;
mod header;
mod image;
mod log;
mod plan;
mod processor;
mod recording;
mod setup;
mod tasks;

pub use crate::core::{BlockId, Core};
pub use block::{Block, Checkpoint};
pub use error::Error;
pub use image::{Image, Isa, Mark};
pub use log::{Ending, Header, Lane, Log, Reader, Record, RecordKind, Trailer};
pub use plan::{Modelling, Passes, Plan, PlannedMark, PlannedRecording, Until};
pub use recording::{image_hash, Context, End, Event, Events, Player, Recorder, Recording};
pub use tasks::Tasks;
pub use ticklab_isa::Instruction;

/// The observer's version in the header of a log.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
