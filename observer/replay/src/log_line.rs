// SPDX-License-Identifier: MIT
//! Writes the line of a record in the event log.
//!
//! A run may pass a mark every sixty instructions, so a line must cost little. `LogLine` of log.rs
//! defines the lines. This file writes the same bytes as the general serialiser, in a fraction of
//! its time.

use crate::log::{LogRecord, LogRecordKind};

/// The two decimal digits of each number from 00 to 99.
const PAIRS: [[u8; 2]; 100] = pairs();

/// Appends the line of `record`, whose tally has this number of lanes.
pub(crate) fn append(lines: &mut Vec<u8>, record: &LogRecord, lanes: usize) {
    lines.extend_from_slice(match record.kind {
        LogRecordKind::Mark => br#"{"kind":"mark","node":"#,
        LogRecordKind::Fault => br#"{"kind":"fault","node":"#,
        LogRecordKind::Frame => br#"{"kind":"frame","node":"#,
        LogRecordKind::Stack => br#"{"kind":"stack","node":"#,
    });
    item(lines, record.node.into());
    lines.extend_from_slice(br#""exception":"#);
    item(lines, record.exception.into());
    lines.extend_from_slice(br#""id":"#);
    item(lines, record.id);
    lines.extend_from_slice(br#""tally":["#);
    items(lines, &record.tally.0[..lanes]);
    lines.extend_from_slice(b"]}\n");
}

/// Appends numbers with commas between them. Most are 0.
fn items(lines: &mut Vec<u8>, counts: &[u32]) {
    for group in counts.chunks(4) {
        if group == [0; 4] {
            lines.extend_from_slice(b"0,0,0,0,");
        } else {
            group.iter().for_each(|&count| item(lines, count));
        }
    }
    if !counts.is_empty() {
        lines.pop();
    }
}

/// Appends a number in decimal, and a comma. Most numbers have one or two digits.
#[inline]
fn item(lines: &mut Vec<u8>, value: u32) {
    if value < 10 {
        lines.extend_from_slice(&[b'0' + value as u8, b',']);
    } else if value < 100 {
        let [tens, ones] = PAIRS[value as usize];
        lines.extend_from_slice(&[tens, ones, b',']);
    } else {
        digits(lines, value);
        lines.push(b',');
    }
}

fn digits(lines: &mut Vec<u8>, value: u32) {
    if value < 10 {
        return lines.push(b'0' + value as u8);
    }
    if value >= 100 {
        digits(lines, value / 100);
    }
    lines.extend_from_slice(&PAIRS[(value % 100) as usize]);
}

const fn pairs() -> [[u8; 2]; 100] {
    let mut pairs = [[0; 2]; 100];
    let mut value = 0;
    while value < 100 {
        pairs[value as usize] = [b'0' + value / 10, b'0' + value % 10];
        value += 1;
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::{Log, LogLine, Reader};
    use crate::{Ending, Header, Lane, Trailer};
    use ticklab_isa::{Tally, LANES};

    const KINDS: [LogRecordKind; 4] = [
        LogRecordKind::Mark,
        LogRecordKind::Fault,
        LogRecordKind::Frame,
        LogRecordKind::Stack,
    ];
    /// Test values: the numbers at which the number of digits changes, and the largest.
    const COUNTS: [u32; 13] = [
        0,
        1,
        9,
        10,
        99,
        100,
        101,
        999,
        1000,
        65_535,
        100_000,
        1_000_005,
        u32::MAX,
    ];

    /// Returns records of every kind, and with each test value in each field and lane.
    fn records() -> Vec<LogRecord> {
        let with = |kind, value: u32, lane: usize| LogRecord {
            kind,
            node: value.min(u8::MAX.into()) as u8,
            exception: value.min(u16::MAX.into()) as u16,
            id: value,
            tally: Tally::ZERO
                .plus(lane, value)
                .plus((lane + 5) % LANES, value),
        };
        let lanes = 0..LANES;
        let all =
            lanes.flat_map(|lane| COUNTS.map(|value| KINDS.map(|kind| with(kind, value, lane))));
        all.flatten()
            .chain([LogRecord {
                tally: Tally([u32::MAX; LANES]),
                ..with(LogRecordKind::Mark, u32::MAX, 0)
            }])
            .collect()
    }

    #[test]
    fn a_line_is_that_of_the_general_serialiser() {
        for record in records() {
            for lanes in [0, 1, 3, 4, 5, 12, 13, LANES] {
                let mut line = Vec::new();
                append(&mut line, &record, lanes);
                let general = serde_json::to_string(&LogLine::of(&record, lanes)).unwrap() + "\n";
                assert_eq!(String::from_utf8(line).unwrap(), general);
            }
        }
    }

    #[test]
    fn a_long_log_is_read_as_it_was_recorded() {
        let lane = |name: usize| Lane {
            name: name.to_string(),
            low: None,
            high: None,
            source: String::new(),
        };
        let header = Header::new("any", (0..LANES).map(lane).collect(), vec![]);
        let mut bytes = Vec::new();
        let mut log = Log::new(&mut bytes, &header);
        records().iter().for_each(|record| log.record(record));
        let trailer = Trailer {
            end: Ending::Marks,
            pc: None,
            symbol: None,
            detail: None,
            tasks: Vec::new(),
        };
        log.end(&Tally::ZERO, trailer).unwrap();
        drop(log);
        assert!(bytes.len() > 2 * crate::log::AT_ONCE_BYTES);
        assert_eq!(Reader::parse(&bytes).unwrap().records, records());
    }
}
