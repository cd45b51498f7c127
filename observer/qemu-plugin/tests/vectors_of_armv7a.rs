// SPDX-License-Identifier: GPL-2.0-or-later
//! Compares the exceptions of an Armv7-A guest that the observer infers with QEMU's own log (`-d
//! int`) and with the log of its interrupt controller: the same exceptions by number, in the same
//! order; each is left again.

mod common;

use common::{Guest, TO_THE_END};
use ticklab_replay::{Ending, LogRecordKind, Reader};

const ENTERED: usize = 4;
const LEFT: usize = 5;
const BY_KIND: std::ops::RangeInclusive<usize> = 7..=11;

/// The interrupts of software are numbered apart (armv7a/src/exceptions.rs).
const INTERRUPT: u16 = 6;
const REQUESTED: u16 = 22;

/// The number of the first interrupt of a device.
const FIRST_OF_DEVICES: u32 = 16;

/// `Taking exception 5 [IRQ] on CPU 0`, and then `gic_acknowledge_irq … acknowledged IRQ 27`.
fn truth(account: &str) -> Vec<u16> {
    let mut taken = Vec::new();
    for line in account.lines() {
        let name = line.strip_prefix("Taking exception ");
        let name = name.and_then(|rest| rest.split(['[', ']']).nth(1));
        taken.extend(name.and_then(number));
        if line.contains("gic_acknowledge_irq") && is_of_software(line) {
            *taken.last_mut().expect("an interrupt is taken first") = REQUESTED;
        }
    }
    taken
}

fn number(name: &str) -> Option<u16> {
    Some(match name {
        "Undefined Instruction" => 1,
        "SVC" => 2,
        "Prefetch Abort" | "Breakpoint" => 3,
        "Data Abort" => 4,
        "IRQ" => INTERRUPT,
        "Semihosting call" => return None,
        other => panic!("{other} is not expected"),
    })
}

fn is_of_software(line: &str) -> bool {
    let acknowledged = line.rsplit([' ', ':']).next();
    let interrupt: u32 = acknowledged.and_then(|text| text.parse().ok()).expect(line);
    interrupt < FIRST_OF_DEVICES
}

/// Returns the exceptions. Each handler calls a function that begins with a mark.
fn inferred(log: &Reader) -> Vec<u16> {
    let handler = log.header.marks.iter().position(|name| name == "trapped");
    let marks = log
        .records
        .iter()
        .filter(|record| record.kind == LogRecordKind::Mark);
    marks
        .filter(|record| Some(record.id as usize) == handler)
        .map(|record| record.exception)
        .collect()
}

fn sum(log: &Reader, lane: usize) -> u32 {
    log.records.iter().map(|record| record.tally[lane]).sum()
}

fn check(name: &str) -> Reader {
    let guest = Guest::build_armv7a(name, "vectors");
    let account = guest.path("int.log");
    let path = account.to_str().unwrap();
    let more = ["-d", "int", "-D", path, "-trace", "gic_acknowledge_irq"];
    let log = guest.observe(TO_THE_END, &more);
    let truth = truth(&std::fs::read_to_string(account).unwrap());
    let trailer = log.trailer.as_ref().unwrap();
    assert_eq!(trailer.end, Ending::Exit);
    assert_eq!(trailer.symbol.as_deref().map(|s| &s[..6]), Some("finish"));
    assert!(truth.len() >= 20, "the guest took {}", truth.len());
    assert_eq!(inferred(&log), truth);
    let kinds: u32 = BY_KIND.map(|lane| sum(&log, lane)).sum();
    let entered = sum(&log, ENTERED);
    assert_eq!(
        (entered, kinds, sum(&log, LEFT)),
        (truth.len() as u32, entered, entered)
    );
    log
}

#[test]
fn calls_interrupts_and_faults() {
    let log = check("traps");
    let faults: Vec<_> = log
        .records
        .iter()
        .filter(|record| record.kind == LogRecordKind::Fault)
        .map(|record| record.id)
        .collect();
    assert_eq!(faults, [4, 4, 1, 4, 4, 3, 3].repeat(6));
}

#[test]
fn interrupts_anywhere() {
    check("interrupts");
}

#[test]
fn the_same_image_gives_the_same_log() {
    let guest = Guest::build_armv7a("traps", "same");
    assert_eq!(
        guest.observe_bytes(TO_THE_END, &[]),
        guest.observe_bytes(TO_THE_END, &[])
    );
}
