// SPDX-License-Identifier: GPL-2.0-or-later
//! Compares the traps of an RV32 guest that the observer infers with QEMU's own log (`-d int`): the
//! same traps by number, in the same order; each is left again.

mod common;

use common::{Guest, TO_THE_END};
use ticklab_replay::Reader;

/// Returns the traps in QEMU's log, whose lines have the form `riscv_cpu_do_interrupt: hart:0,
/// async:1, cause:00000003, …`.
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

fn check(name: &str) -> Reader {
    let guest = Guest::build_rv32(name, "traps");
    let account = guest.path("int.log");
    let log = guest.observe(TO_THE_END, &["-d", "int", "-D", account.to_str().unwrap()]);
    common::check_exceptions(&log, &truth(&std::fs::read_to_string(account).unwrap()));
    log
}

#[test]
fn calls_interrupts_and_faults() {
    let faults = common::faults(&check("traps"));
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
