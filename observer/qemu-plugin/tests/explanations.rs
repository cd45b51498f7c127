// SPDX-License-Identifier: GPL-2.0-or-later
//! Tests that a second run of a guest has the same log, byte for byte, while it is explained, and
//! that the explanation adds up to the tallies of the log.

mod common;
#[macro_use]
#[path = "common/guests.rs"]
mod guests;

use common::{Guest, NODE, TO_THE_END};
use serde_json::{json, Value};
use std::process::Output;
use ticklab_isa::Tally;
use ticklab_replay::{LogRecordKind, Reader};

/// Runs a guest again and explains the passes of its first mark. `log` is that of the first run.
fn explain(guest: &Guest, log: &[u8], json: &str) -> Output {
    let mark = &Reader::parse(log).unwrap().header.marks[0];
    let span = json!({"name": "pass", "each": [mark], "external": null, "ticks": "included"});
    let first = guest.path("first.log");
    let request = json!({"log": first, "json": json, "spans": [span]});
    std::fs::write(&first, log).unwrap();
    std::fs::write(guest.path("request.json"), request.to_string()).unwrap();
    guest.prepare_explained(TO_THE_END).output().unwrap()
}

/// Returns the tally between the first and the last pass of the first mark.
fn between_passes(log: &Reader) -> Tally {
    let (mut total, mut first, mut last) = (Tally::ZERO, None, Tally::ZERO);
    for record in &log.records {
        total += &record.tally;
        if record.kind == LogRecordKind::Mark && record.id == 0 {
            first.get_or_insert(total);
            last = total;
        }
    }
    last - first.unwrap_or(last)
}

fn check(guest: &Guest) {
    let log = guest.observe_bytes(TO_THE_END, &[]);
    let answer = guest.path("answer.json");
    let output = explain(guest, &log, answer.to_str().unwrap());
    assert!(output.status.success(), "{output:?}");
    assert_eq!(std::fs::read(guest.path("events.log")).unwrap(), log);
    let answer: Value = serde_json::from_slice(&std::fs::read(answer).unwrap()).unwrap();
    let expected = between_passes(&Reader::parse(&log).unwrap());
    let total = answer["spans"][0]["total"].as_array().unwrap();
    for (lane, sum) in total.iter().enumerate() {
        assert_eq!(sum.as_i64().unwrap() as u32, expected[lane], "lane {lane}");
    }
}

#[test]
fn rv32() {
    for name in ["traps", "interrupts", "cycles"] {
        let mut guest = Guest::build_rv32(name, "explanations");
        guest.model = NODE;
        check(&guest);
    }
}

each_guest!(|guest| check(&Guest::build(guest, "explanations")));

#[test]
fn faults() {
    check(&Guest::build("faults", "explanations"));
}

/// Returns the one line that the plugin prints.
fn said(output: &Output) -> String {
    let errors = String::from_utf8_lossy(&output.stderr);
    let lines: Vec<_> = errors.lines().filter(|l| l.contains("ticklab:")).collect();
    let [line] = lines[..] else {
        panic!("one line: {errors}");
    };
    line.to_owned()
}

/// The answer is written to a device that is always full, so that writing fails.
#[test]
fn a_full_disk_is_an_error_and_leaves_no_log() {
    let guest = Guest::build("nesting", "full-disk");
    let log = guest.observe_bytes(TO_THE_END, &[]);
    let output = explain(&guest, &log, "/dev/full");
    assert!(!output.status.success());
    assert!(!guest.path("events.log").exists());
    assert!(
        said(&output).contains("/dev/full: No space left"),
        "{output:?}"
    );
}

#[test]
fn the_log_of_another_plan_is_refused_before_the_guest_runs() {
    let mut guest = Guest::build("nesting", "another-plan");
    let log = guest.observe_bytes(TO_THE_END, &[]);
    guest.entries = common::ENTRIES;
    let output = explain(&guest, &log, "/dev/null");
    assert!(!output.status.success());
    assert!(
        said(&output).contains("it is of another plan"),
        "{output:?}"
    );
    assert!(!guest.path("events.log.part").exists());
}
