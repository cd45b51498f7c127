// SPDX-License-Identifier: GPL-2.0-or-later
//! Compares the traps of an RV32 guest that the observer infers with QEMU's own log (`-d int`): the
//! same traps by number, in the same order; each is left again.

mod common;

use common::{Guest, TO_THE_END};
use ticklab_replay::{Ending, LogRecordKind, Reader};

const ENTERED: usize = 4;
const LEFT: usize = 5;
const BY_KIND: std::ops::RangeInclusive<usize> = 7..=11;

/// `riscv_cpu_do_interrupt: hart:0, async:1, cause:00000003, …`
fn truth(account: &str) -> Vec<u16> {
    let number = |line: &str| {
        let (_, rest) = line.split_once("async:")?;
        let (is_interrupt, rest) = rest.split_once(", cause:")?;
        let cause = u16::from_str_radix(rest.split(',').next()?, 16).ok()?;
        Some(if is_interrupt == "1" {
            16 + cause
        } else {
            cause
        })
    };
    account.lines().filter_map(number).collect()
}

/// Returns the traps. Each handler begins with a mark.
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
    let guest = Guest::build_rv32(name, "traps");
    let account = guest.path("int.log");
    let log = guest.observe(TO_THE_END, &["-d", "int", "-D", account.to_str().unwrap()]);
    let truth = truth(&std::fs::read_to_string(account).unwrap());
    assert_eq!(log.trailer.as_ref().unwrap().end, Ending::Exit);
    assert_eq!(
        log.trailer
            .as_ref()
            .unwrap()
            .symbol
            .as_deref()
            .map(|s| &s[..6]),
        Some("finish")
    );
    assert!(truth.len() >= 20, "the guest took {} traps", truth.len());
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
    assert_eq!(faults, [5, 7, 5, 2, 2].repeat(6));
}

#[test]
fn each_entry_passes_its_mark() {
    let mut guest = Guest::build_rv32("traps", "entries");
    guest.entries = common::ENTRIES;
    let account = guest.path("int.log");
    let log = guest.observe(TO_THE_END, &["-d", "int", "-D", account.to_str().unwrap()]);
    let kind = |number| match number {
        11 => "svcall",
        19 => "pendsv",
        23 => "systick",
        16.. => "external",
        _ => "faults",
    };
    let truth = truth(&std::fs::read_to_string(account).unwrap());
    let entered: Vec<_> = truth.into_iter().map(|n| (n, kind(n))).collect();
    assert!(
        entered.len() >= 20,
        "the guest took {} traps",
        entered.len()
    );
    assert_eq!(common::entries(&log), entered);
}

#[test]
fn interrupts_anywhere() {
    check("interrupts");
}

#[test]
fn the_same_image_gives_the_same_log() {
    let guest = Guest::build_rv32("traps", "same");
    assert_eq!(
        guest.observe_bytes(TO_THE_END, &[]),
        guest.observe_bytes(TO_THE_END, &[])
    );
}
