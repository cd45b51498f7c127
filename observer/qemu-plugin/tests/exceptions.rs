// SPDX-License-Identifier: GPL-2.0-or-later
//! Compares the exceptions that the observer infers with QEMU's own log (`-d int`): the same
//! entries and exits, by number, in the same order.

mod common;
#[macro_use]
#[path = "common/guests.rs"]
mod guests;

use common::{Guest, TO_THE_END};
use ticklab_replay::{Ending, LogRecord, LogRecordKind, Reader};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Event {
    Entered(u16),
    Left(u16),
}

const ENTERED: usize = 4;
const LEFT: usize = 5;
const TAIL_CHAINED: usize = 6;

/// Parses QEMU's log, which names the pending exception that it takes and the exception that a
/// return ends.
fn truth(log: &str) -> Vec<Event> {
    let number = |text: &str| text.trim().parse().unwrap();
    log.lines()
        .filter_map(|line| {
            if let Some((_, taken)) = line.split_once("taking pending ") {
                let (_, exception) = taken.split_once(" exception ")?;
                return Some(Event::Entered(number(exception)));
            }
            let (_, exception) = line.split_once("previous exception ")?;
            Some(Event::Left(number(exception)))
        })
        .collect()
}

/// Returns the events of a guest whose handlers begin with a mark. So between two records there is
/// at most one entry, and it is the last event before the record.
fn inferred(log: &Reader) -> Vec<Event> {
    let (mut events, mut active) = (Vec::new(), Vec::new());
    let marks = log
        .records
        .iter()
        .filter(|record| record.kind == LogRecordKind::Mark);
    for record in marks {
        let (left, entered) = changes(record, log);
        for _ in 0..left {
            events.push(Event::Left(active.pop().expect("an exit follows an entry")));
        }
        assert!(entered <= 1, "{record:?} holds two entries");
        if entered == 1 {
            active.push(record.exception);
            events.push(Event::Entered(record.exception));
        }
        assert_eq!(
            record.exception,
            active.last().copied().unwrap_or(0),
            "{record:?}"
        );
    }
    events
}

/// Returns the exits and entries up to a mark, including those before a preceding fault record.
fn changes(record: &LogRecord, log: &Reader) -> (u32, u32) {
    let here = log
        .records
        .iter()
        .position(|other| std::ptr::eq(other, record))
        .unwrap();
    let faults = log.records[..here]
        .iter()
        .rev()
        .take_while(|r| r.kind == LogRecordKind::Fault);
    faults
        .chain([record])
        .fold((0, 0), |(left, entered), record| {
            (left + record.tally[LEFT], entered + record.tally[ENTERED])
        })
}

fn check(guest: &str) -> Reader {
    check_built(&Guest::build(guest, "exceptions"))
}

fn check_built(guest: &Guest) -> Reader {
    let account = guest.path("int.log");
    let log = guest.observe(TO_THE_END, &["-d", "int", "-D", account.to_str().unwrap()]);
    let account = std::fs::read_to_string(account).unwrap();
    let finish = log
        .header
        .marks
        .iter()
        .position(|name| name == "finish")
        .unwrap();
    assert_eq!(
        log.records.last().unwrap().id as usize,
        finish,
        "the guest failed"
    );
    assert_eq!(log.trailer.as_ref().unwrap().end, Ending::Exit);
    let truth = truth(&account);
    assert!(truth.len() >= 4, "the guest took no exceptions");
    assert_eq!(inferred(&log), truth);
    let tail_chained: u32 = log
        .records
        .iter()
        .map(|record| record.tally[TAIL_CHAINED])
        .sum();
    assert_eq!(
        tail_chained as usize,
        account.matches("tailchaining").count()
    );
    log
}

each_guest!(check);

/// The guests that also run on cores without a cycle model: nested, tail-chained and faulting
/// exceptions.
const SAMPLE: [&str; 5] = [
    "supervisor_call",
    "context_switch",
    "nesting",
    "tail_chaining",
    "faults",
];

#[test]
fn cortex_m7() {
    for guest in SAMPLE {
        check_built(&Guest::build_m7(guest, "exceptions"));
    }
}

#[test]
fn cortex_m33_in_the_secure_state() {
    for guest in SAMPLE.into_iter().chain(["stack_limit"]) {
        check_built(&Guest::build_m33(guest, "exceptions"));
    }
}

/// Tests with a mark at each entry, in guests that call no handler as a function.
mod entries {
    use super::{common, truth, Event, Guest, TO_THE_END};

    fn check(name: &str) {
        let mut guest = Guest::build(name, "entries");
        guest.entries = common::ENTRIES;
        let account = guest.path("int.log");
        let log = guest.observe(TO_THE_END, &["-d", "int", "-D", account.to_str().unwrap()]);
        let truth = truth(&std::fs::read_to_string(account).unwrap());
        let entered: Vec<_> = truth
            .into_iter()
            .filter_map(|event| match event {
                Event::Entered(number) => Some((number, kind(number))),
                Event::Left(_) => None,
            })
            .collect();
        assert!(entered.len() >= 2, "the guest took no exceptions");
        assert_eq!(common::entries(&log), entered);
    }

    fn kind(number: u16) -> &'static str {
        match number {
            11 => "svcall",
            14 => "pendsv",
            15 => "systick",
            16.. => "external",
            _ => "faults",
        }
    }

    each_guest!(
        check,
        supervisor_call,
        context_switch,
        nesting,
        tail_chaining,
        it_block,
        floating_point,
        faults
    );
}

#[test]
fn faults() {
    let log = check("faults");
    let taken: Vec<_> = log
        .records
        .iter()
        .filter(|r| r.kind == LogRecordKind::Fault)
        .collect();
    let numbers: Vec<_> = taken.iter().map(|record| record.id).collect();
    let escalated = [3; 12];
    let as_they_are = [5, 5, 6, 6].repeat(3);
    assert_eq!(numbers, [&escalated[..], &as_they_are[..]].concat());
    assert!(taken.iter().all(|record| record.exception == 0));
}
