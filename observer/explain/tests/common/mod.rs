// SPDX-License-Identifier: MIT
//! Defines a small synthetic guest of three functions, which the tests "execute" by hand.
#![allow(dead_code)] // Each test program uses only a part.

use object::write::{Object, Symbol, SymbolSection};
use object::{Architecture, BinaryFormat, Endianness, SymbolFlags, SymbolKind, SymbolScope};
use ticklab_explain::{Explainer, Request, Subject, Symbols};
use ticklab_replay::{BlockId, Context, Core, Ending, Error, Image, Moves, Plan};

pub const MARK: u32 = 0x104;
const SYSTICK: u32 = 0x300;
const PENDSV: u32 = 0x340;

/// BL f.
const CALLS_F: (u32, &[u8]) = (0x100, &[0x00, 0xF0, 0x0E, 0xF8]);
/// Block: B 0x100, the instruction at which the mark lies.
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

/// Returns an image that contains only a vector table, with symbols if requested.
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

/// A synthetic guest. In its first run it is observed, in its second run also explained.
pub struct Target<'a> {
    core: Core<'a>,
    explainer: Option<Explainer<'a>>,
    running: Option<BlockId>,
}

impl Target<'_> {
    /// Runs a handler that saves the registers of one task and restores those of another.
    fn switch(&mut self, handler: (u32, &[u8]), save: u32, restore: u32) {
        self.run(handler);
        for (is_save, slot) in [(true, save), (false, restore)] {
            let context = Context {
                is_save,
                slot,
                moves: Moves::CalleeSaved,
            };
            if let Some(explainer) = &mut self.explainer {
                explainer.context(context);
            }
        }
    }

    fn run(&mut self, (start, code): (u32, &[u8])) {
        let id = self.core.block(start, code);
        let reached = self.running.map_or(0, |id| self.core.code(id).whole());
        self.core.enter(id, reached);
        if let Some(explainer) = &mut self.explainer {
            explainer.block(&self.core, id, code);
            explainer.enter(&self.core, id);
        }
        self.running = Some(id);
        if start == MARK {
            self.core.mark(0, 0);
            if let Some(explainer) = &mut self.explainer {
                explainer.mark(&self.core, 0, 0);
            }
        }
    }
}

/// Runs three samples, the second with a tick.
pub fn samples(target: &mut Target) {
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
}

/// Runs three task switches. The second is by an exception that is tail-chained to the first. The
/// third is to the task that the second preempted, which has not run yet.
pub fn switches(target: &mut Target) {
    target.run(LOOPS);
    target.switch(SWITCHES, 0x1000, 0x2000);
    target.switch(TICKS, 0x3000, 0x1000);
    target.run(LOOPS);
    target.switch(SWITCHES, 0x4000, 0x3000);
    target.run(MASKS);
    target.run(LOOPS);
}

fn core<'out>(image: &[u8], log: impl std::io::Write + 'out) -> Core<'out> {
    let text = r#"{"version": 3, "image": "x", "log": "y",
        "marks": [{"name": "m", "address": 260, "is_write": false}],
        "entries": {}, "calls": null, "port": [], "exit_register": null, "bus_latency": 0,
        "until": {"marks": null, "instructions": 1000}, "stall_instructions": 100,
        "core": "cortex-m4f", "vectors": 0, "model": {"profile": {"title": "no waits"}}}"#;
    let plan = Plan::parse(text).unwrap();
    Core::new(&plan, Image::parse(image).unwrap(), log).unwrap()
}

/// Runs `guest` twice and returns the result of `look`, which is called after the second run.
///
/// # Errors
/// The spans do not fit the run.
pub fn explained<Found>(
    image: &[u8],
    spans: &str,
    starts: Option<&[u32]>,
    guest: fn(&mut Target),
    look: impl FnOnce(&mut Explainer, &Core) -> Found,
) -> Result<Found, Error> {
    let mut log = Vec::new();
    let mut first = Target {
        core: core(image, &mut log),
        explainer: None,
        running: None,
    };
    guest(&mut first);
    first.core.finish(Ending::Exit, None).unwrap();
    drop(first);
    let text = format!(r#"{{"log": "l", "json": "j", "spans": {spans}}}"#);
    let request = Request::parse(&text).unwrap();
    let core = core(image, std::io::sink());
    let starts = starts.map(|starts| starts.iter().copied().collect());
    let subject = Subject::new(
        image.to_vec(),
        Some(&log),
        starts,
        Symbols::default(),
        &core,
    )?;
    let explainer = Explainer::begin(&subject, &request.spans, &core, false)?;
    let mut second = Target {
        core,
        explainer: Some(explainer),
        running: None,
    };
    guest(&mut second);
    second.core.finish(Ending::Exit, None).unwrap();
    let mut explainer = second.explainer.take().unwrap();
    explainer.finish(&second.core);
    Ok(look(&mut explainer, &second.core))
}
