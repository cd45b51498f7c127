// SPDX-License-Identifier: GPL-2.0-or-later
//! Tests how observations end, and that the same image and plan yield the same log.

mod common;

use common::{Guest, TO_THE_END};
use std::sync::atomic::{AtomicBool, Ordering};
use ticklab_replay::{Ending, Reader, Trailer};

fn trailer(log: &Reader) -> &Trailer {
    log.trailer.as_ref().expect("a whole log has a trailer")
}

#[test]
fn at_the_passes_of_a_mark() {
    let guest = Guest::build("nesting", "marks");
    let until = r#"{"marks": {"name": "irq*.after", "passes": 7}, "instructions": 10000000}"#;
    let log = guest.observe(until, &[]);
    let is_awaited = |id: u32| log.header.marks[id as usize].ends_with(".after");
    assert_eq!(
        log.records
            .iter()
            .filter(|record| is_awaited(record.id))
            .count(),
        7
    );
    assert_eq!(trailer(&log).end, Ending::Marks);
    assert!(trailer(&log)
        .symbol
        .as_ref()
        .unwrap()
        .starts_with("Interrupt"));
}

#[test]
fn at_a_number_of_instructions() {
    let guest = Guest::build("endless", "instructions");
    let log = guest.observe(r#"{"marks": null, "instructions": 5000}"#, &[]);
    let rest = log.rest.unwrap()[0];
    let all: u32 = log
        .records
        .iter()
        .map(|record| record.tally[0])
        .sum::<u32>()
        + rest;
    assert_eq!(trailer(&log).end, Ending::Instructions);
    // The observation ends with the block in which the requested number of instructions is reached.
    assert!((5000..5010).contains(&all), "{all}");
}

#[test]
fn without_a_mark_for_too_long() {
    let guest = Guest::build("endless", "stall");
    let log = guest.observe(r#"{"marks": null, "instructions": 1000000000}"#, &[]);
    assert_eq!(trailer(&log).end, Ending::Stalled);
    assert_eq!(
        trailer(&log)
            .symbol
            .as_deref()
            .map(|s| s.starts_with("guest")),
        Some(true)
    );
}

#[test]
fn in_a_lockup() {
    let guest = Guest::build("lockup", "lockup");
    let log = guest.observe_dying(TO_THE_END);
    assert_eq!(trailer(&log).end, Ending::Lockup);
    assert!(trailer(&log)
        .symbol
        .as_ref()
        .unwrap()
        .starts_with("HardFault_Handler"));
}

#[test]
fn with_the_same_log_on_a_busy_machine() {
    let guest = Guest::build("wait", "determinism");
    let quiet = guest.observe_bytes(TO_THE_END, &[]);
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let _stop = Stop(&done);
        for _ in 0..2 {
            scope.spawn(|| keep_busy(&done));
        }
        for _ in 0..3 {
            assert!(guest.observe_bytes(TO_THE_END, &[]) == quiet);
        }
    });
}

fn keep_busy(done: &AtomicBool) {
    while !done.load(Ordering::Relaxed) {
        std::hint::spin_loop();
    }
}

/// Ends the busy threads, even if the test fails.
struct Stop<'a>(&'a AtomicBool);

impl Drop for Stop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[test]
fn before_it_begins_if_the_plan_is_wrong() {
    let guest = Guest::build("wait", "errors");
    let refuse = |plan: &str, word: &str| {
        std::fs::write(guest.path("plan.json"), plan).unwrap();
        let output = guest.qemu(&guest.path("plan.json")).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        let ours: Vec<_> = errors
            .lines()
            .filter(|line| line.starts_with("ticklab: "))
            .collect();
        assert!(!output.status.success());
        assert!(
            matches!(ours[..], [line] if line.contains(word)),
            "{errors}"
        );
    };
    refuse("{", "plan.json");
    let whole = guest.plan(TO_THE_END);
    refuse(&whole.replace("guest.elf", "absent.elf"), "absent.elf");
    refuse(
        &whole.replace(
            "\"marks\": null",
            "\"marks\": {\"name\": \"x\", \"passes\": 1}",
        ),
        "mark",
    );
    refuse(
        &whole.replace("events.log", "absent/events.log"),
        "absent/events.log",
    );
}
