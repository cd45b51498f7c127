// SPDX-License-Identifier: MIT
//! Recordings: everything that the replay core was told, kept so that it can be told again.
//!
//! A recording is no trace of what a guest did but of the calls that a target made to [`Core`]: the
//! same calls give the same log, byte for byte, and whatever else one wants to know later. Calls
//! are *symbols*; most are what the past lets expect, so that only the lengths of such runs and the
//! exceptions to them are written (docs/architecture.md has the format).
//!
//! A recording begins at reset and may end before the run does: call stacks and tasks are known
//! only from the beginning, and what is in front of a span costs a few bytes.

mod context;
mod player;
mod predictor;
mod reader;
mod varint;
mod writer;

pub use context::Context;
pub use player::Player;
pub use reader::{Event, Events, Recording};
pub use writer::Recorder;

use crate::header::Magic;
use crate::log::Ending;
use crate::Error;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

const MAGIC: &Magic = b"TICKREC1";
const SCHEMA: u32 = 2;

/// An entry's code: a symbol is defined, the recording ends, or else a symbol less [`FIRST_CODE`].
const DEFINE: u32 = 0;
const END: u32 = 1;
const FIRST_CODE: u32 = 2;

/// What follows an entry that defines a symbol.
const BLOCK: u8 = 0;
const REACHED: u8 = 1;
const MARK: u8 = 2;
const ACCESSED: u8 = 3;
const ADDRESS: u8 = 4;
const CONTEXT: u8 = 5;

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Header {
    schema: u32,
    observer: String,
    image_sha256: String,
    /// The plan without the files of the machine that it was made on.
    plan: serde_json::Value,
}

/// How a recording that lasted as long as its run ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct End {
    /// What the checkpoints of the last block added up to, if the target ended by itself.
    pub stop: Option<u32>,
    pub end: Ending,
    pub detail: Option<String>,
}

/// What tells one image file from another.
#[must_use]
pub fn image_hash(data: &[u8]) -> String {
    let digest = Sha256::digest(data);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn damaged(what: &str) -> Error {
    Error::new(format!("recording: {what}; record again"))
}
