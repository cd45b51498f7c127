// SPDX-License-Identifier: GPL-2.0-or-later
//! Compares modelled cycles with expected ones. Each sequence of observer/guest-tests/cycles.S and
//! rv32/cycles.S has its expected cycles in its name.

mod common;

use common::{Guest, NODE, TO_THE_END};
use ticklab_replay::{Image, Lane, LogRecord, LogRecordKind, Reader};

const ZERO_WAIT: &str = r#"{"profile": {"title": "zero wait states"}}"#;
/// The name of a sequence, with its low and high cycles.
type Span = (String, u64, u64);

/// Parses the name of a sequence's first mark: NAME.LOW-HIGH.
fn expected_cycles(mark: &str) -> Option<Span> {
    let (name, cycles) = mark.rsplit_once('.')?;
    let (low, high) = cycles.split_once('-')?;
    Some((name.to_owned(), low.parse().ok()?, high.parse().ok()?))
}

/// Returns the cycles of the records from one mark to the next, which include fault records.
fn cycles(lanes: &[Lane], records: &[LogRecord], price: fn(&Lane) -> Option<u32>) -> u64 {
    let of_record = |record: &LogRecord| {
        let lanes = lanes.iter().enumerate();
        let prices = lanes.filter_map(|(at, lane)| Some((at, u64::from(price(lane)?))));
        prices
            .map(|(at, price)| price * u64::from(record.tally[at]))
            .sum::<u64>()
    };
    records.iter().map(of_record).sum()
}

/// Returns the instruction sequences that the guest executed, each with its cycles. The tally of a
/// record belongs to the code before the record's mark, so the cycles of a sequence are in the
/// records that follow the record of its first mark, up to the next mark.
fn observed(log: &Reader) -> Vec<Span> {
    let (lanes, marks) = (&log.header.lanes, &log.header.marks);
    let is_mark = |record: &LogRecord| record.kind == LogRecordKind::Mark;
    let mut spans = Vec::new();
    for (at, record) in log.records.iter().enumerate().filter(|(_, r)| is_mark(r)) {
        let Some((name, ..)) = expected_cycles(&marks[record.id as usize]) else {
            continue;
        };
        let after = &log.records[at + 1..];
        let end = after.iter().position(is_mark).expect("it has an end");
        assert_eq!(marks[after[end].id as usize], "end", "{name}");
        let low = cycles(lanes, &after[..=end], |lane| lane.low);
        spans.push((name, low, cycles(lanes, &after[..=end], |lane| lane.high)));
    }
    spans
}

fn check(mut guest: Guest, model: &'static str, sequences: usize) {
    guest.model = model;
    let marks = Image::read(&guest.path("guest.elf")).unwrap().marks;
    let expected: Vec<Span> = marks
        .iter()
        .filter_map(|m| expected_cycles(&m.name))
        .collect();
    assert_eq!(expected.len(), sequences, "sequences in the guest");
    assert_eq!(observed(&guest.observe(TO_THE_END, &[])), expected);
}

#[test]
fn every_sequence_takes_the_cycles_derived_by_hand() {
    check(Guest::build("cycles", "cycles"), ZERO_WAIT, 46);
}

#[test]
fn every_sequence_of_rv32_takes_the_cycles_of_the_hardware() {
    check(Guest::build_rv32("cycles", "cycles"), NODE, 25);
}
