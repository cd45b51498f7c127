// SPDX-License-Identifier: MIT
//! Writes and reads the event log (format: docs/reference/formats.md).
//!
//! The log contains nothing of the host: the same image, plan and observer yield the same bytes.

use crate::log_line;
use crate::plan::VERSION;
use crate::Error;
use serde::{Deserialize, Serialize};
use std::io::{self, Write};
use ticklab_isa::{Tally, LANES};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    version: u32,
    pub observer: String,
    pub core: String,
    pub lanes: Vec<Lane>,
    /// The names of the marks. A record of a mark contains the index of its name.
    pub marks: Vec<String>,
}

/// One lane. Counted lanes have no cycles.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lane {
    pub name: String,
    pub low: Option<u32>,
    pub high: Option<u32>,
    pub source: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogRecordKind {
    /// A mark was passed; `id` is its index.
    Mark,
    /// A fault was taken; `id` is its exception number.
    Fault,
    /// Follows a record of a mark if the plan follows calls: `id` is the number of the frame in
    /// which the mark was passed, and `exception` the number of nested calls.
    Frame,
    /// Follows a `Frame` record: `id` is the number of the task, or activation of an exception,
    /// that has the frame.
    Stack,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogRecord {
    pub kind: LogRecordKind,
    pub node: u8,
    /// The exception that was active; 0 in thread mode.
    pub exception: u16,
    pub id: u32,
    /// The tally since the previous record of the same node (processor core).
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

/// How and where the run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trailer {
    pub end: Ending,
    pub pc: Option<u32>,
    pub symbol: Option<String>,
    pub detail: Option<String>,
    /// The number of each task, as `Stack` records have it, and the address of the function in
    /// which it began, in the order in which they first ran. Empty if calls are not followed.
    pub tasks: Vec<(u32, u32)>,
}

/// A line of the log after its header. log_line.rs writes the lines of records in the same form.
#[derive(Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(crate) enum LogLine<Counts> {
    Mark(Row<Counts>),
    Fault(Row<Counts>),
    Frame(Row<Counts>),
    Stack(Row<Counts>),
    End(End<Counts>),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Row<Counts> {
    node: u8,
    exception: u16,
    id: u32,
    tally: Counts,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct End<Counts> {
    node: u8,
    end: Ending,
    pc: Option<u32>,
    symbol: Option<String>,
    detail: Option<String>,
    tally: Counts,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    tasks: Vec<(u32, u32)>,
}

#[cfg(test)]
impl<'a> LogLine<&'a [u32]> {
    /// Returns the line of `record`, whose tally has this number of lanes.
    pub(crate) fn of(record: &'a LogRecord, lanes: usize) -> Self {
        let row = Row {
            node: record.node,
            exception: record.exception,
            id: record.id,
            tally: &record.tally.0[..lanes],
        };
        match record.kind {
            LogRecordKind::Mark => LogLine::Mark(row),
            LogRecordKind::Fault => LogLine::Fault(row),
            LogRecordKind::Frame => LogLine::Frame(row),
            LogRecordKind::Stack => LogLine::Stack(row),
        }
    }
}

impl Header {
    #[must_use]
    pub fn new(core: &str, lanes: Vec<Lane>, marks: Vec<String>) -> Header {
        Header {
            version: VERSION,
            observer: crate::VERSION.to_owned(),
            core: core.to_owned(),
            lanes,
            marks,
        }
    }
}

/// A log that is being written. The first error is kept and reported at the end, because the
/// callers of [`Log::record`] cannot report it.
pub struct Log<'out> {
    out: Box<dyn Write + 'out>,
    lanes: usize,
    /// Lines that are not written to the file yet.
    lines: Vec<u8>,
    outcome: io::Result<()>,
}

/// Lines are written to the file when there are this many bytes.
pub(crate) const AT_ONCE_BYTES: usize = 1 << 16;

impl<'out> Log<'out> {
    pub fn new(out: impl Write + 'out, header: &Header) -> Log<'out> {
        let mut log = Log {
            out: Box::new(out),
            lanes: header.lanes.len(),
            lines: Vec::with_capacity(2 * AT_ONCE_BYTES),
            outcome: Ok(()),
        };
        log.serialise(header);
        log
    }

    pub fn record(&mut self, record: &LogRecord) {
        log_line::append(&mut self.lines, record, self.lanes);
        if self.lines.len() >= AT_ONCE_BYTES {
            self.write_lines();
        }
    }

    /// Writes the last line. `tally` is what was counted after the last record.
    ///
    /// # Errors
    /// The log could not be written completely.
    pub fn end(&mut self, tally: &Tally, trailer: Trailer) -> io::Result<()> {
        self.serialise(&LogLine::End(End {
            node: 0,
            end: trailer.end,
            pc: trailer.pc,
            symbol: trailer.symbol,
            detail: trailer.detail,
            tally: &tally.0[..self.lanes],
            tasks: trailer.tasks,
        }));
        self.write_lines();
        std::mem::replace(&mut self.outcome, Ok(()))?;
        self.out.flush()
    }

    fn serialise(&mut self, line: &impl Serialize) {
        serde_json::to_writer(&mut self.lines, line).expect("a line is plain data");
        self.lines.push(b'\n');
    }

    #[cold]
    fn write_lines(&mut self) {
        if self.outcome.is_ok() {
            self.outcome = self.out.write_all(&self.lines);
        }
        self.lines.clear();
    }
}

/// An event log that was read from a file. It has no trailer if the target was killed before it
/// wrote one.
#[derive(Clone, Debug, PartialEq)]
pub struct Reader {
    pub header: Header,
    /// All records.
    pub records: Vec<LogRecord>,
    /// The counts between the last record and the end of the run.
    pub rest: Option<Tally>,
    pub trailer: Option<Trailer>,
}

impl Reader {
    /// # Errors
    /// The data is not an event log of this version.
    pub fn parse(data: &[u8]) -> Result<Reader, Error> {
        let text = std::str::from_utf8(data).map_err(|e| damaged(&e.to_string()))?;
        if !text.ends_with('\n') {
            return Err(damaged("cut short"));
        }
        let (first, rest) = text.split_once('\n').unwrap_or_default();
        let mut reader = Reader {
            header: parse_header(first)?,
            records: Vec::new(),
            rest: None,
            trailer: None,
        };
        for line in rest.lines() {
            reader.add(serde_json::from_str(line).map_err(|e| damaged(&e.to_string()))?)?;
        }
        Ok(reader)
    }

    fn add(&mut self, line: LogLine<Vec<u32>>) -> Result<(), Error> {
        let (kind, row) = match line {
            LogLine::Mark(row) => (LogRecordKind::Mark, row),
            LogLine::Fault(row) => (LogRecordKind::Fault, row),
            LogLine::Frame(row) => (LogRecordKind::Frame, row),
            LogLine::Stack(row) => (LogRecordKind::Stack, row),
            LogLine::End(end) => {
                self.rest = Some(self.tally(&end.tally)?);
                self.trailer = Some(Trailer {
                    end: end.end,
                    pc: end.pc,
                    symbol: end.symbol,
                    detail: end.detail,
                    tasks: end.tasks,
                });
                return Ok(());
            }
        };
        let tally = self.tally(&row.tally)?;
        self.records.push(LogRecord {
            kind,
            node: row.node,
            exception: row.exception,
            id: row.id,
            tally,
        });
        Ok(())
    }

    fn tally(&self, counts: &[u32]) -> Result<Tally, Error> {
        let mut tally = Tally::ZERO;
        if counts.len() != self.header.lanes.len() || counts.len() > LANES {
            return Err(damaged("a tally has another number of lanes"));
        }
        for (lane, &count) in counts.iter().enumerate() {
            tally[lane] = count;
        }
        Ok(tally)
    }
}

fn damaged(what: &str) -> Error {
    Error::new(format!("event log: {what}; measure again"))
}

fn parse_header(line: &str) -> Result<Header, Error> {
    let header: Header = serde_json::from_str(line).map_err(|e| damaged(&e.to_string()))?;
    if header.version != VERSION {
        return Err(damaged(&format!(
            "it has version {}, and this observer reads version {VERSION}",
            header.version
        )));
    }
    Ok(header)
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

    fn record(id: u32) -> LogRecord {
        let tally = Tally::ZERO
            .plus(counted::INSTRUCTIONS, 7)
            .plus(counted::READS, id);
        LogRecord {
            kind: LogRecordKind::Mark,
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
            tasks: vec![(1, 0x100), (7, 0x200)],
        }
    }

    fn written() -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut log = Log::new(&mut bytes, &header());
        log.record(&record(0));
        log.record(&record(3));
        log.end(&record(9).tally, trailer()).unwrap();
        drop(log);
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
    fn has_the_documented_lines() {
        let text = String::from_utf8(written()).unwrap();
        let lines: Vec<_> = text.lines().collect();
        assert!(lines[0].starts_with(r#"{"version":3,"observer":"#));
        let mark = r#"{"kind":"mark","node":0,"exception":15,"id":0,"tally":[7,0]}"#;
        let end = r#"{"kind":"end","node":0,"end":"marks","pc":256,"symbol":"main+0x2","#;
        assert_eq!(lines[1], mark);
        assert!(lines[3].starts_with(end), "{}", lines[3]);
        assert!(
            lines[3].ends_with(r#""tasks":[[1,256],[7,512]]}"#),
            "{}",
            lines[3]
        );
        assert_eq!(lines.len(), 4);
    }

    #[test]
    fn a_log_without_a_trailer_is_readable() {
        let text = String::from_utf8(written()).unwrap();
        let end = text.find(r#"{"kind":"end""#).unwrap();
        let reader = Reader::parse(&text.as_bytes()[..end]).unwrap();
        assert_eq!((reader.records.len(), reader.trailer), (2, None));
    }

    #[test]
    fn refuses_damaged_logs() {
        let bytes = written();
        let text = String::from_utf8(bytes.clone()).unwrap();
        assert!(Reader::parse(b"ELF").is_err());
        assert!(Reader::parse(&bytes[..20]).is_err());
        assert!(Reader::parse(&bytes[..bytes.len() - 1]).is_err());
        for (from, to, words) in [
            (
                r#""version":3"#,
                r#""version":4"#,
                "it has version 4, and this observer reads version 3",
            ),
            ("[7,0]", "[7]", "another number of lanes"),
            (r#""id":0"#, r#""ident":0"#, "ident"),
        ] {
            let error = Reader::parse(text.replace(from, to).as_bytes()).unwrap_err();
            assert!(error.to_string().contains(words), "{error}");
        }
    }

    #[test]
    fn a_full_disk_is_reported_at_the_end() {
        let mut disk = [0; 64];
        let mut log = Log::new(&mut disk[..], &header());
        log.record(&record(0));
        assert!(log.end(&record(0).tally, trailer()).is_err());
    }
}
