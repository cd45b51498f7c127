// SPDX-License-Identifier: MIT
//! Reads and writes the header of the event log and of the recording: eight bytes that identify the
//! format, the length of the header in four bytes, least significant first, and the header as JSON.

use crate::Error;
use serde::{de::DeserializeOwned, Serialize};

pub type Magic = [u8; 8];

pub fn bytes(magic: &Magic, header: &impl Serialize) -> Vec<u8> {
    let text = serde_json::to_vec(header).expect("a header is plain data");
    let length = (text.len() as u32).to_le_bytes();
    [&magic[..], &length, &text].concat()
}

/// Returns the header and the data after it. `damaged` creates the error.
pub fn parse<'data, Header: DeserializeOwned>(
    data: &'data [u8],
    magic: &Magic,
    damaged: fn(&str) -> Error,
) -> Result<(Header, &'data [u8]), Error> {
    let name = String::from_utf8_lossy(magic);
    let rest = data
        .strip_prefix(magic)
        .ok_or_else(|| damaged(&format!("does not begin with {name}")))?;
    let (length, rest) = rest
        .split_first_chunk()
        .ok_or_else(|| damaged("cut short"))?;
    let length = u32::from_le_bytes(*length) as usize;
    if length > rest.len() {
        return Err(damaged("cut short in its header"));
    }
    let (text, body) = rest.split_at(length);
    let header = serde_json::from_slice(text).map_err(|e| damaged(&format!("header: {e}")))?;
    Ok((header, body))
}
