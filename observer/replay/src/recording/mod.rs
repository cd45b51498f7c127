// SPDX-License-Identifier: MIT
//! Writes and reads recordings: all calls that the replay core received, to make them again.
//!
//! A recording contains the calls that a target made to [`Core`], not a trace of the guest. The
//! same calls yield the same log, byte for byte, and any other analysis later. Calls are *symbols*.
//! Most symbols can be predicted from earlier ones, so only the lengths of correctly predicted runs
//! and the other symbols are written (docs/reference/formats.md describes the format).
//!
//! A recording begins at reset, because call stacks and tasks are known only from there; the part
//! before a span costs a few bytes. It may end before the run does.

mod player;
mod predictor;
mod reader;
mod varint;
mod writer;

pub use player::Player;
pub use reader::{Event, Events, Recording};
pub use writer::Recorder;

use crate::header::Magic;
use crate::log::Ending;
use crate::Error;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

const MAGIC: &Magic = b"TICKREC1";
const SCHEMA: u32 = 3;

/// The code of an entry: a definition of a symbol, the end of the recording, or otherwise a symbol
/// plus [`FIRST_CODE`].
const DEFINE: u32 = 0;
const END: u32 = 1;
const FIRST_CODE: u32 = 2;

/// The kinds of symbols, which follow an entry that defines one.
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
    /// The plan without the paths of the machine that recorded.
    plan: serde_json::Value,
}

/// The end of the run, in a recording that covers the whole run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct End {
    /// The sum of the checkpoints of the last block, if the target ended by itself.
    pub stop: Option<u32>,
    pub end: Ending,
    pub detail: Option<String>,
}

/// Returns the hash that identifies an image file.
#[must_use]
pub fn image_hash(data: &[u8]) -> String {
    let digest = Sha256::digest(data);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn damaged(what: &str) -> Error {
    Error::new(format!("recording: {what}; record again"))
}
