// SPDX-License-Identifier: GPL-2.0-or-later
//! The cycle model in a guest: what the log says of each sequence of observer/guest-tests/cycles.S
//! is what was derived by hand beside it.

mod common;

use common::{Guest, TO_THE_END};
use ticklab_replay::{Image, Lane, Reader, Record};

const ZERO_WAIT: &str = r#"{"profile": {"title": "zero wait states"}}"#;

/// A sequence with its low and high cycles.
type Span = (String, u64, u64);

/// What a first mark's name promises: NAME.LOW-HIGH.
fn promised(mark: &str) -> Option<Span> {
    let (name, cycles) = mark.rsplit_once('.')?;
    let (low, high) = cycles.split_once('-')?;
    Some((name.to_owned(), low.parse().ok()?, high.parse().ok()?))
}

fn cycles(lanes: &[Lane], record: &Record, price: fn(&Lane) -> Option<u32>) -> u64 {
    let lanes = lanes.iter().enumerate();
    lanes
        .filter_map(|(at, lane)| Some(u64::from(price(lane)?) * u64::from(record.tally[at])))
        .sum()
}

/// The sequences that the guest passed. A tally holds what comes in front of its mark, and so a
/// sequence is the record behind that of its first mark.
fn observed(log: &Reader) -> Vec<Span> {
    let header = &log.header;
    let pairs = log.records.windows(2);
    pairs
        .filter_map(|pair| {
            let (name, ..) = promised(&header.marks[pair[0].id as usize])?;
            assert_eq!(header.marks[pair[1].id as usize], "end", "{name}");
            let low = cycles(&header.lanes, &pair[1], |lane| lane.low);
            Some((name, low, cycles(&header.lanes, &pair[1], |lane| lane.high)))
        })
        .collect()
}

#[test]
fn every_sequence_takes_the_cycles_derived_by_hand() {
    let mut guest = Guest::build("cycles", "cycles");
    guest.model = ZERO_WAIT;
    let marks = Image::read(&guest.path("guest.elf")).unwrap().marks;
    let expected: Vec<Span> = marks.iter().filter_map(|m| promised(&m.name)).collect();
    assert_eq!(expected.len(), 46, "sequences in the guest");
    assert_eq!(observed(&guest.observe(TO_THE_END, &[])), expected);
}
