// SPDX-License-Identifier: GPL-2.0-or-later
//! Compares the instructions, reads and writes that the observer counts at every mark with those of
//! another plugin, which counts each of them in a callback.

mod common;
#[macro_use]
#[path = "common/guests.rs"]
mod guests;

use common::{plugin_interface, run, Guest, TO_THE_END};
use std::path::{Path, PathBuf};
use std::process::Command;
use ticklab_replay::Image;

const COUNTED: [usize; 3] = [0, 1, 2];

fn reference_counts(guest: &Guest) -> Vec<Vec<u64>> {
    let (library, counts) = (guest.path("count.so"), guest.path("counts.txt"));
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../guest-tests/count.c");
    run(Command::new("cc")
        .args([
            "-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC",
        ])
        .arg(format!("-DINTERFACE={}", plugin_interface()))
        .arg(source)
        .arg("-o")
        .arg(&library));
    let marks = Image::read(&guest.path("guest.elf")).unwrap().marks;
    let at: String = marks
        .iter()
        .map(|mark| format!(",at={}", mark.address))
        .collect();
    let (library, out) = (library.display(), counts.display());
    run(guest
        .bare_qemu()
        .arg("-plugin")
        .arg(format!("{library},out={out}{at}")));
    read(&counts)
}

fn read(counts: &PathBuf) -> Vec<Vec<u64>> {
    let text = std::fs::read_to_string(counts).unwrap();
    text.lines()
        .map(|line| line.split(' ').map(|n| n.parse().unwrap()).collect())
        .collect()
}

fn observed(guest: &Guest) -> Vec<Vec<u64>> {
    let mut sums = vec![0; COUNTED.len()];
    let add = |sum: &mut u64, count: u32| {
        *sum += u64::from(count);
        *sum
    };
    let log = guest.observe(TO_THE_END, &[]);
    log.records
        .iter()
        .map(|record| {
            let lanes = sums.iter_mut().zip(COUNTED);
            lanes
                .map(|(sum, lane)| add(sum, record.tally[lane]))
                .collect()
        })
        .collect()
}

fn check(guest: &Guest) {
    let (truth, observed) = (reference_counts(guest), observed(guest));
    assert!(truth.len() >= 10, "the guest passed {} marks", truth.len());
    assert_eq!(observed, truth);
}

// The guests are those without faults, because the other plugin's callback cannot show that a
// faulting instruction did not complete.
each_guest!(|guest| check(&Guest::build(guest, "counts")));

#[test]
fn cortex_m7() {
    for guest in ["floating_point", "doubles", "nesting"] {
        check(&Guest::build_m7(guest, "counts"));
    }
}

#[test]
fn cortex_m33() {
    for guest in ["armv8m", "it_block", "floating_point", "nesting"] {
        check(&Guest::build_m33(guest, "counts"));
    }
}

#[test]
fn rv32() {
    check(&Guest::build_rv32("work", "counts"));
    check(&Guest::build_rv32("interrupts", "counts"));
}

#[test]
fn armv7a() {
    check(&Guest::build_armv7a("work", "counts"));
    check(&Guest::build_armv7a("interrupts", "counts"));
}
