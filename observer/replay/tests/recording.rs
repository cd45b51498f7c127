// SPDX-License-Identifier: MIT
//! Tests that a replayed recording yields the same log, byte for byte.

use object::write::{Object, StandardSection};
use object::{Architecture, BinaryFormat, Endianness};
use std::io::Write;
use ticklab_replay::{
    image_hash, Core, End, Ending, Event, Image, Plan, Player, Recorder, Recording,
};

/// STR R0, [R1]; NOP; B 0x100.
const STORE: (u32, &[u8]) = (0x100, &[0x08, 0x60, 0x00, 0xBF, 0xFC, 0xE7]);
/// IT EQ; LDREQ R0, [R1]; B 0x100.
const MAYBE_LOAD: (u32, &[u8]) = (0x200, &[0x08, 0xBF, 0x08, 0x68, 0x7C, 0xE7]);

fn image() -> Vec<u8> {
    let mut elf = Object::new(BinaryFormat::Elf, Architecture::Arm, Endianness::Little);
    let text = elf.section_id(StandardSection::Text);
    let bytes = [0_u8, 0, 0, 0, 0x01, 0x01, 0, 0].repeat(8);
    elf.append_section_data(text, &bytes, 4);
    elf.write().unwrap()
}

fn plan(record: &str) -> Plan {
    let text = r#"{"version": 2, "image": "", "log": "",
        "marks": [{"name": "m", "address": 258, "is_write": false}],
        "entries": {}, "calls": null, "port": [], "exit_register": null, "bus_latency": 0,
        "until": {"marks": null, "instructions": 100000}, "stall_instructions": 1000,
        "core": "cortex-m4f", "vectors": 0, "model": null, "record": RECORD}"#;
    Plan::parse(&text.replace("RECORD", record)).unwrap()
}

const WHOLE: &str = r#"{"file": "x", "until": null}"#;
const CUT: &str = r#"{"file": "x", "until": {"name": "m", "passes": 10}}"#;

/// Runs 1000 rounds. Returns the log and the result of the recording.
fn observe<W: Write>(record: &str, out: W) -> (Vec<u8>, std::io::Result<W>) {
    let (plan, image) = (plan(record), image());
    let mut log = Vec::new();
    let mut core = Core::new(&plan, Image::parse(&image).unwrap(), &mut log).unwrap();
    let marks = core.header().marks.clone();
    let mut recorder = Some(Recorder::new(&plan, &image_hash(&image), &marks, out));
    let mut outcome = None;
    let ids = [STORE, MAYBE_LOAD].map(|(start, code)| {
        let id = core.block(start, code);
        recorder.as_mut().unwrap().block(id, core.code(id), code);
        id
    });
    for round in 0..1000 {
        // In every 100th round the store stops its block, because the device repeats it.
        let stops = round % 100 == 7;
        let whole = if round == 0 { 0 } else { 2 };
        for (id, reached) in [(ids[0], whole), (ids[1], u32::from(!stops))] {
            recorder.iter_mut().for_each(|r| r.enter(id, reached));
            core.enter(id, reached);
            if id == ids[0] {
                core.mark(0, 1);
                if recorder.as_mut().is_some_and(|r| !r.mark(0, 1)) {
                    outcome = recorder.take().map(|mut r| r.finish(None));
                }
            } else if round % 3 == 0 {
                recorder.iter_mut().for_each(|r| r.accessed(0x202));
                core.accessed(0x202);
            }
        }
    }
    core.stop(0);
    core.finish(Ending::Exit, None).unwrap();
    drop(core);
    let end = End {
        stop: Some(0),
        end: Ending::Exit,
        detail: None,
    };
    let whole = recorder.map(|mut r| r.finish(Some(&end)));
    (log, outcome.or(whole).unwrap())
}

fn replay(recording: &[u8]) -> Result<Vec<u8>, ticklab_replay::Error> {
    let recording = Recording::parse(recording)?;
    recording.check_image(&image())?;
    let mut log = Vec::new();
    let mut player = Player::new(&recording, Image::parse(&image())?, Some(&mut log))?;
    let mut events = recording.events()?;
    loop {
        let event = events.next_event()?;
        player.play(&event)?;
        if matches!(event, Event::End(_)) {
            drop(player);
            return Ok(log);
        }
    }
}

#[test]
fn a_replay_yields_the_log_of_the_run() {
    let (log, recording) = observe(WHOLE, Vec::new());
    assert_eq!(replay(&recording.unwrap()).unwrap(), log);
}

#[test]
fn a_recording_that_ends_early_yields_the_beginning() {
    let (log, recording) = observe(CUT, Vec::new());
    let beginning = replay(&recording.unwrap()).unwrap();
    assert!(beginning.len() < log.len() && log.starts_with(&beginning));
}

#[test]
fn repetition_takes_no_space() {
    let (_, recording) = observe(WHOLE, Vec::new());
    assert!(
        recording.unwrap().len() < 1000,
        "6000 instructions, of one loop"
    );
}

#[test]
fn a_shortened_recording_is_refused() {
    let (_, recording) = observe(WHOLE, Vec::new());
    let recording = recording.unwrap();
    for length in [0, 7, 20, recording.len() - 30, recording.len() - 1] {
        let error = replay(&recording[..length]).unwrap_err().to_string();
        assert!(
            error.contains("recording") && error.lines().count() == 1,
            "{length}: {error}"
        );
    }
}

#[test]
fn another_image_is_refused() {
    let (_, recording) = observe(WHOLE, Vec::new());
    let recording = Recording::parse(&recording.unwrap()).unwrap();
    let error = recording.check_image(b"another").unwrap_err().to_string();
    assert!(error.contains("image"), "{error}");
}

#[test]
fn a_full_disk_costs_the_recording_and_nothing_else() {
    let (log, recording) = observe(WHOLE, Vec::new());
    let mut disk = vec![0_u8; recording.unwrap().len() / 2];
    let (same, outcome) = observe(WHOLE, &mut disk[..]);
    assert!(outcome.is_err());
    assert_eq!(same, log);
}
