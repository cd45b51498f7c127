// SPDX-License-Identifier: GPL-2.0-or-later
//! A guest observed with a recording, and the recording replayed: the same log, byte for byte.

mod common;

use common::{run, Guest, TO_THE_END};
use ticklab_replay::{Event, Image, Player, Recording};

fn replayed(guest: &Guest) -> Vec<u8> {
    let image = guest.path("guest.elf");
    let recording = Recording::read(&guest.path("blocks.rec")).unwrap();
    recording
        .check_image(&std::fs::read(&image).unwrap())
        .unwrap();
    let mut log = Vec::new();
    let mut player = Player::new(&recording, Image::read(&image).unwrap(), &mut log).unwrap();
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

macro_rules! guests {
    ($($guest:ident),*) => {$(
        #[test]
        fn $guest() {
            let guest = Guest::build(stringify!($guest), "recordings");
            let unrecorded = guest.observe_bytes(TO_THE_END, &[]);
            let file = guest.path("blocks.rec");
            let record = format!(r#""record": {{"file": {file:?}, "until": null}}"#);
            let plan = guest.path("recorded.json");
            let text = guest.plan(TO_THE_END).replace(r#""record": null"#, &record);
            std::fs::write(&plan, text).unwrap();
            run(&mut guest.qemu(&plan));
            assert_eq!(std::fs::read(guest.path("events.log")).unwrap(), unrecorded);
            assert_eq!(replayed(&guest), unrecorded);
        }
    )*};
}

guests!(
    supervisor_call,
    context_switch,
    nesting,
    tail_chaining,
    it_block,
    edited_return,
    wait,
    plain_calls,
    floating_point,
    moved_vectors,
    faults
);
