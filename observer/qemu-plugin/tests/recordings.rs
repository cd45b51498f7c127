// SPDX-License-Identifier: GPL-2.0-or-later
//! Tests that a recording of a guest, replayed, yields the same log, byte for byte.

mod common;
#[macro_use]
#[path = "common/guests.rs"]
mod guests;

use common::{run, Guest, NODE, TO_THE_END};
use ticklab_replay::{Event, Image, Player, Recording};

fn replayed(guest: &Guest) -> Vec<u8> {
    let image = guest.path("guest.elf");
    let recording = Recording::read(&guest.path("blocks.rec")).unwrap();
    recording
        .check_image(&std::fs::read(&image).unwrap())
        .unwrap();
    let mut log = Vec::new();
    let mut player = Player::new(&recording, Image::read(&image).unwrap(), Some(&mut log)).unwrap();
    let mut events = recording.events().unwrap();
    loop {
        let event = events.next_event().unwrap();
        player.play(&event).unwrap();
        if matches!(event, Event::End(_)) {
            break;
        }
    }
    drop(player);
    log
}

/// Observes with a recording and returns QEMU's standard error.
fn record(guest: &Guest) -> String {
    let file = guest.path("blocks.rec");
    let record = format!(r#""record": {{"file": {file:?}, "until": null}}"#);
    let plan = guest.path("recorded.json");
    let text = guest.plan(TO_THE_END).replace(r#""record": null"#, &record);
    std::fs::write(&plan, text).unwrap();
    let output = run(&mut guest.qemu(&plan));
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn check(guest: &Guest) {
    let unrecorded = guest.observe_bytes(TO_THE_END, &[]);
    record(guest);
    assert_eq!(std::fs::read(guest.path("events.log")).unwrap(), unrecorded);
    assert_eq!(replayed(guest), unrecorded);
}

#[test]
fn rv32() {
    for name in ["traps", "interrupts", "cycles"] {
        let mut guest = Guest::build_rv32(name, "recordings");
        guest.model = NODE;
        check(&guest);
    }
}

each_guest!(|guest| check(&Guest::build(guest, "recordings")));

#[test]
fn faults() {
    check(&Guest::build("faults", "recordings"));
}

/// Writes the recording to a device that is always full.
#[test]
fn a_full_disk_costs_the_recording_and_nothing_else() {
    let guest = Guest::build("nesting", "full-disk");
    let unrecorded = guest.observe_bytes(TO_THE_END, &[]);
    let (file, partial) = (guest.path("blocks.rec"), guest.path("blocks.rec.part"));
    let _ = std::fs::remove_file(&file);
    let _ = std::fs::remove_file(&partial);
    std::os::unix::fs::symlink("/dev/full", &partial).unwrap();
    let errors = record(&guest);
    assert_eq!(std::fs::read(guest.path("events.log")).unwrap(), unrecorded);
    assert!(!file.exists());
    let lines: Vec<_> = errors.lines().filter(|l| l.contains("ticklab:")).collect();
    let [line] = lines[..] else {
        panic!("one line: {errors}");
    };
    let words = [
        "blocks.rec",
        "No space left",
        "free some space and record again",
    ];
    assert!(words.iter().all(|word| line.contains(word)), "{line}");
}
