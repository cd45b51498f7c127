// SPDX-License-Identifier: GPL-2.0-or-later
//! Compares the exceptions of an Armv7-A guest that the observer infers with QEMU's own log (`-d
//! int`) and with the log of its interrupt controller: the same exceptions by number, in the same
//! order; each is left again.

mod common;

use common::{Guest, TO_THE_END};
use ticklab_replay::Reader;

/// Interrupts that software requests have another number (armv7a/src/exceptions.rs).
const INTERRUPT: u16 = 6;
const REQUESTED: u16 = 22;

/// The number of the first interrupt of a device.
const FIRST_OF_DEVICES: u32 = 16;

/// Returns the exceptions in QEMU's log, whose lines have the form `Taking exception 5 [IRQ] on CPU
/// 0`, followed for an interrupt by `gic_acknowledge_irq … acknowledged IRQ 27`.
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

fn check(name: &str) -> Reader {
    let guest = Guest::build_armv7a(name, "vectors");
    let account = guest.path("int.log");
    let path = account.to_str().unwrap();
    let more = ["-d", "int", "-D", path, "-trace", "gic_acknowledge_irq"];
    let log = guest.observe(TO_THE_END, &more);
    common::check_exceptions(&log, &truth(&std::fs::read_to_string(account).unwrap()));
    log
}

#[test]
fn calls_interrupts_and_faults() {
    let faults = common::faults(&check("traps"));
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
