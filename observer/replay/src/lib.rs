// SPDX-License-Identifier: MIT
//! The replay core: from "this block ran so far" to the records of an event log.
//!
//! A target says which blocks of code ran, how far, and which marks were passed. The core keeps the
//! shadow of the exception stack, adds up tallies and writes the log. It is pure, so that one
//! implementation serves the QEMU plugin at full speed and recorded streams later.
//!
//! Not here: how a target is watched (`ticklab-qemu-plugin`), what instructions cost
//! (`ticklab-armv7m`, `ticklab-rv32`).
#![forbid(unsafe_code)]

mod block;
mod budget;
mod core;
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
mod transfer;
mod ways;

pub use crate::core::{BlockId, Core};
pub use block::{Block, Checkpoint};
pub use error::Error;
pub use image::{Image, Isa, Mark};
pub use log::{Ending, Header, Lane, Log, Reader, Record, RecordKind, Trailer};
pub use plan::{Modelling, Passes, Plan, PlannedMark, Record as PlannedRecord, Until};
pub use recording::{image_hash, Context, End, Event, Events, Player, Recorder, Recording};
pub use tasks::Tasks;
pub use ticklab_isa::Instruction;

/// What the header of a log names as its observer.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
