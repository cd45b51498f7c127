// SPDX-License-Identifier: MIT
//! Defines a small synthetic guest of three functions, which the tests "execute" by hand.
#![allow(dead_code)] // Each test program uses only a part.

use object::write::{Object, Symbol, SymbolSection};
use object::{Architecture, BinaryFormat, Endianness, SymbolFlags, SymbolKind, SymbolScope};
use ticklab_explain::Subject;
use ticklab_replay::{
    image_hash, BlockId, Context, Core, End, Ending, Image, Plan, Recorder, Recording,
};

pub const MARK: u32 = 0x104;
const SYSTICK: u32 = 0x300;
const PENDSV: u32 = 0x340;

/// BL f.
const CALLS_F: (u32, &[u8]) = (0x100, &[0x00, 0xF0, 0x0E, 0xF8]);
/// B 0x100, with the mark.
const LOOPS: (u32, &[u8]) = (MARK, &[0xFC, 0xE7]);
/// PUSH {LR}; BL g.
const CALLS_G: (u32, &[u8]) = (0x120, &[0x00, 0xB5, 0x00, 0xF0, 0x0D, 0xF8]);
/// POP {PC}.
const RETURNS: (u32, &[u8]) = (0x126, &[0x00, 0xBD]);
/// CPSID i; NOP; CPSIE i; BX LR.
const MASKS: (u32, &[u8]) = (0x140, &[0x72, 0xB6, 0x00, 0xBF, 0x62, 0xB6, 0x70, 0x47]);
/// BX LR.
const TICKS: (u32, &[u8]) = (SYSTICK, &[0x70, 0x47]);
/// BX LR.
const SWITCHES: (u32, &[u8]) = (PENDSV, &[0x70, 0x47]);

/// Returns an image with only a vector table, and symbols if requested.
pub fn image(with_symbols: bool) -> Vec<u8> {
    let mut elf = Object::new(BinaryFormat::Elf, Architecture::Arm, Endianness::Little);
    let text = elf.section_id(object::write::StandardSection::Text);
    let mut table = [0_u32; 16];
    (table[1], table[14], table[15]) = (0x101, PENDSV + 1, SYSTICK + 1);
    let bytes: Vec<_> = table.iter().flat_map(|word| word.to_le_bytes()).collect();
    elf.append_section_data(text, &bytes, 4);
    let functions = [
        ("main", 0x100, 6),
        ("f", 0x120, 8),
        ("g", 0x140, 8),
        ("tick", SYSTICK, 2),
        ("switch", PENDSV, 2),
    ];
    for (name, address, size) in functions.into_iter().filter(|_| with_symbols) {
        elf.add_symbol(Symbol {
            name: name.into(),
            value: u64::from(address + 1),
            size,
            kind: SymbolKind::Text,
            scope: SymbolScope::Dynamic,
            weak: false,
            section: SymbolSection::Section(text),
            flags: SymbolFlags::None,
        });
    }
    elf.write().unwrap()
}

struct Target<'a> {
    core: Core<Vec<u8>>,
    recorder: Recorder<&'a mut Vec<u8>>,
    running: Option<BlockId>,
}

impl Target<'_> {
    /// Runs a handler that saves the registers of one task and restores those of another.
    fn switch(&mut self, handler: (u32, &[u8]), save: u32, restore: u32) {
        self.run(handler);
        for (is_save, slot) in [(true, save), (false, restore)] {
            self.recorder.context(Context {
                is_save,
                slot,
                is_stack_pointer: false,
            });
        }
    }

    fn run(&mut self, (start, code): (u32, &[u8])) {
        let id = self.core.block(start, code);
        self.recorder.block(id, self.core.code(id), code);
        let reached = self.running.map_or(0, |id| self.core.code(id).whole());
        self.recorder.enter(id, reached);
        self.core.enter(id, reached);
        self.running = Some(id);
        if start == MARK {
            self.recorder.mark(0, 0);
            self.core.mark(0, 0);
        }
    }
}

/// Returns the recording of three samples, the second with a tick.
pub fn recording(image: &[u8]) -> Vec<u8> {
    record(image, |target| {
        for sample in 0..4 {
            target.run(CALLS_F);
            target.run(CALLS_G);
            if sample == 2 {
                target.run(TICKS);
            }
            target.run(MASKS);
            target.run(RETURNS);
            target.run(LOOPS);
        }
    })
}

/// Returns a recording of three task switches. The second is by an exception that is tail-chained
/// to the first. The third is to the task that the second preempted, which has not run yet.
pub fn recording_of_switches(image: &[u8]) -> Vec<u8> {
    record(image, |target| {
        target.run(LOOPS);
        target.switch(SWITCHES, 0x1000, 0x2000);
        target.switch(TICKS, 0x3000, 0x1000);
        target.run(LOOPS);
        target.switch(SWITCHES, 0x4000, 0x3000);
        target.run(MASKS);
        target.run(LOOPS);
    })
}

fn record(image: &[u8], run: impl FnOnce(&mut Target)) -> Vec<u8> {
    let text = r#"{"version": 2, "image": "x", "log": "y",
        "marks": [{"name": "m", "address": 260, "is_write": false}],
        "entries": {}, "calls": null, "port": [], "exit_register": null, "bus_latency": 0,
        "until": {"marks": null, "instructions": 1000}, "stall_instructions": 100,
        "core": "cortex-m4f", "vectors": 0, "model": {"profile": {"title": "no waits"}},
        "record": null}"#;
    let plan = Plan::parse(text).unwrap();
    let mut bytes = Vec::new();
    let core = Core::new(&plan, Image::parse(image).unwrap(), Vec::new()).unwrap();
    let names = core.header().marks.clone();
    let mut target = Target {
        recorder: Recorder::new(&plan, &image_hash(image), &names, &mut bytes),
        core,
        running: None,
    };
    run(&mut target);
    let end = End {
        stop: Some(0),
        end: Ending::Exit,
        detail: None,
    };
    target.recorder.finish(Some(&end)).unwrap();
    bytes
}

pub fn subject(with_symbols: bool) -> Subject {
    let image = image(with_symbols);
    let recording = Recording::parse(&recording(&image)).unwrap();
    Subject::replay(image, recording, None::<std::io::Sink>).unwrap()
}
