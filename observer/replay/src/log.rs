// SPDX-License-Identifier: MIT
//! Writes and reads the event log (format: docs/reference/formats.md).
//!
//! The log contains nothing of the host: the same image, plan and observer yield the same bytes.

use crate::header::{self, Magic};
use crate::Error;
use serde::{Deserialize, Serialize};
use std::io::{self, Write};
use ticklab_isa::{Tally, LANES};

const MAGIC: &Magic = b"TICKLOG1";
const SCHEMA: u32 = 1;
/// The bytes of a record before its lanes: kind, node, exception and id.
const FIXED_BYTES: usize = 8;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    schema: u32,
    pub observer: String,
    pub core: String,
    pub lanes: Vec<Lane>,
    /// The names of the marks. A mark's record contains the index.
    pub marks: Vec<String>,
    record_bytes: usize,
    blocks: Option<()>,
}

/// One lane. Counted lanes have no cycles.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lane {
    pub name: String,
    pub low: Option<u32>,
    pub high: Option<u32>,
    pub source: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordKind {
    /// A mark was passed; `id` is its index.
    Mark,
    /// A fault was taken; `id` is its exception number.
    Fault,
    /// The frame in which the mark of the preceding record was passed: `id` is its number, and
    /// `exception` the number of nested calls. Only if the plan follows calls.
    Frame,
    /// The task or activation of an exception of that frame: `id` is its number.
    Stack,
    /// The last record; `id` is the length of the trailer.
    End,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    pub kind: RecordKind,
    pub node: u8,
    /// The exception that was active; 0 in thread mode.
    pub exception: u16,
    pub id: u32,
    /// The tally since the previous record of the same node.
    pub tally: Tally,
}

/// The reason why an observation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ending {
    Marks,
    Instructions,
    Stalled,
    Exit,
    Lockup,
    Aborted,
    /// The guest attempted a forbidden operation.
    Refused,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trailer {
    pub end: Ending,
    pub pc: Option<u32>,
    pub symbol: Option<String>,
    pub detail: Option<String>,
}

impl Header {
    #[must_use]
    pub fn new(core: &str, lanes: Vec<Lane>, marks: Vec<String>) -> Header {
        let record_bytes = FIXED_BYTES + 4 * lanes.len();
        let (core, observer) = (core.to_owned(), crate::VERSION.to_owned());
        Header {
            schema: SCHEMA,
            observer,
            core,
            lanes,
            marks,
            record_bytes,
            blocks: None,
        }
    }
}

impl RecordKind {
    fn code(self) -> u8 {
        match self {
            RecordKind::Mark => 1,
            RecordKind::Fault => 2,
            RecordKind::Frame => 3,
            RecordKind::Stack => 4,
            RecordKind::End => 255,
        }
    }

    fn from_code(code: u8) -> Option<Self> {
        let kinds = [
            RecordKind::Mark,
            RecordKind::Fault,
            RecordKind::Frame,
            RecordKind::Stack,
            RecordKind::End,
        ];
        kinds.into_iter().find(|kind| kind.code() == code)
    }
}

/// A log that is being written. The first error is kept and reported at the end, because the
/// callers of [`Log::record`] cannot report it.
pub struct Log<W: Write> {
    out: W,
    lanes: usize,
    outcome: io::Result<()>,
}

impl<W: Write> Log<W> {
    pub fn new(out: W, header: &Header) -> Log<W> {
        let mut log = Log {
            out,
            lanes: header.lanes.len(),
            outcome: Ok(()),
        };
        log.write(&header::bytes(MAGIC, header));
        log
    }

    pub fn record(&mut self, record: &Record) {
        let mut bytes = [0; FIXED_BYTES + 4 * LANES];
        bytes[0] = record.kind.code();
        bytes[1] = record.node;
        bytes[2..4].copy_from_slice(&record.exception.to_le_bytes());
        bytes[4..8].copy_from_slice(&record.id.to_le_bytes());
        for (field, count) in bytes[FIXED_BYTES..].chunks_exact_mut(4).zip(record.tally.0) {
            field.copy_from_slice(&count.to_le_bytes());
        }
        self.write(&bytes[..FIXED_BYTES + 4 * self.lanes]);
    }

    /// Writes the end record, whose `id` becomes the trailer's length, and the trailer.
    ///
    /// # Errors
    /// The log could not be written completely.
    pub fn end(&mut self, mut record: Record, trailer: &Trailer) -> io::Result<()> {
        let text = serde_json::to_vec(trailer).expect("a trailer is plain data");
        record.kind = RecordKind::End;
        record.id = text.len() as u32;
        self.record(&record);
        self.write(&text);
        std::mem::replace(&mut self.outcome, Ok(()))?;
        self.out.flush()
    }

    fn write(&mut self, bytes: &[u8]) {
        if self.outcome.is_ok() {
            self.outcome = self.out.write_all(bytes);
        }
    }
}

/// A log that was read. It has no trailer if the target was terminated.
#[derive(Clone, Debug, PartialEq)]
pub struct Reader {
    pub header: Header,
    /// All records except the end record.
    pub records: Vec<Record>,
    /// The tally between the last record and the end.
    pub rest: Option<Tally>,
    pub trailer: Option<Trailer>,
}

impl Reader {
    /// # Errors
    /// The data is not an event log of this schema.
    pub fn parse(data: &[u8]) -> Result<Reader, Error> {
        let (header, body) = parse_header(data)?;
        let mut reader = Reader {
            header,
            records: Vec::new(),
            rest: None,
            trailer: None,
        };
        let mut rest = body;
        while rest.len() >= reader.header.record_bytes {
            let (bytes, remaining) = rest.split_at(reader.header.record_bytes);
            let record = parse_record(bytes)?;
            if record.kind == RecordKind::End {
                reader.rest = Some(record.tally);
                reader.trailer = Some(parse_trailer(remaining, record.id as usize)?);
                break;
            }
            reader.records.push(record);
            rest = remaining;
        }
        Ok(reader)
    }
}

fn damaged(what: &str) -> Error {
    Error::new(format!("event log: {what}; measure again"))
}

fn parse_header(data: &[u8]) -> Result<(Header, &[u8]), Error> {
    let (header, body): (Header, _) = header::parse(data, MAGIC, damaged)?;
    let consistent = header.record_bytes == FIXED_BYTES + 4 * header.lanes.len();
    if header.schema != SCHEMA || !consistent || header.lanes.len() > LANES {
        return Err(damaged("its header is of another observer version"));
    }
    Ok((header, body))
}

fn parse_record(bytes: &[u8]) -> Result<Record, Error> {
    let word =
        |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
    let kind = RecordKind::from_code(bytes[0])
        .ok_or_else(|| damaged(&format!("record of unknown kind {}", bytes[0])))?;
    let mut tally = Tally::ZERO;
    for (lane, at) in (FIXED_BYTES..bytes.len()).step_by(4).enumerate() {
        tally[lane] = word(at);
    }
    let exception = u16::from_le_bytes([bytes[2], bytes[3]]);
    Ok(Record {
        kind,
        node: bytes[1],
        exception,
        id: word(4),
        tally,
    })
}

fn parse_trailer(data: &[u8], length: usize) -> Result<Trailer, Error> {
    let text = data
        .get(..length)
        .ok_or_else(|| damaged("cut short in its trailer"))?;
    serde_json::from_slice(text).map_err(|e| damaged(&format!("trailer: {e}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ticklab_isa::counted;

    fn header() -> Header {
        let lane = |name: &str| Lane {
            name: name.into(),
            low: None,
            high: None,
            source: "x".into(),
        };
        Header::new(
            "cortex-m4f",
            vec![lane("instructions"), lane("reads")],
            vec!["a".into()],
        )
    }

    fn record(id: u32) -> Record {
        let tally = Tally::ZERO
            .plus(counted::INSTRUCTIONS, 7)
            .plus(counted::READS, id);
        Record {
            kind: RecordKind::Mark,
            node: 0,
            exception: 15,
            id,
            tally,
        }
    }

    fn trailer() -> Trailer {
        let symbol = Some("main+0x2".into());
        Trailer {
            end: Ending::Marks,
            pc: Some(0x100),
            symbol,
            detail: None,
        }
    }

    fn written() -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut log = Log::new(&mut bytes, &header());
        log.record(&record(0));
        log.record(&record(3));
        log.end(record(9), &trailer()).unwrap();
        bytes
    }

    #[test]
    fn reads_what_was_written() {
        let reader = Reader::parse(&written()).unwrap();
        assert_eq!(reader.header, header());
        assert_eq!(reader.records, [record(0), record(3)]);
        assert_eq!(reader.rest, Some(record(9).tally));
        assert_eq!(reader.trailer, Some(trailer()));
    }

    #[test]
    fn has_the_documented_layout() {
        let bytes = written();
        let length = u32::from_le_bytes(bytes[8..12].try_into().unwrap()) as usize;
        assert_eq!(&bytes[..8], MAGIC);
        let first = [1, 0, 15, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0];
        assert_eq!(bytes[12 + length..][..16], first);
        let text: serde_json::Value = serde_json::from_slice(&bytes[12..12 + length]).unwrap();
        assert_eq!(text["record_bytes"], 16);
        assert!(text["blocks"].is_null() && text["lanes"][0]["low"].is_null());
    }

    #[test]
    fn a_log_without_a_trailer_is_readable() {
        let bytes = written();
        let end = bytes.iter().position(|&byte| byte == 255).unwrap();
        let reader = Reader::parse(&bytes[..end]).unwrap();
        assert_eq!((reader.records.len(), reader.trailer), (2, None));
    }

    #[test]
    fn refuses_damaged_logs() {
        let bytes = written();
        assert!(Reader::parse(b"ELF").is_err());
        assert!(Reader::parse(&bytes[..20]).is_err());
        assert!(Reader::parse(&bytes[..bytes.len() - 1]).is_err());
    }

    #[test]
    fn a_full_disk_is_reported_at_the_end() {
        let mut disk = [0; 64];
        let mut log = Log::new(&mut disk[..], &header());
        log.record(&record(0));
        assert!(log.end(record(0), &trailer()).is_err());
    }
}
