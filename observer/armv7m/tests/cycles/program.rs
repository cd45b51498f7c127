// SPDX-License-Identifier: MIT
//! Assembles a program and applies the cycle model along a given path through it, as a target
//! would.

use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use ticklab_armv7m::{decode_block, Core, Model};
use ticklab_isa::{Instruction, Profile, Tally, COUNTED};
use ticklab_processor::CycleModel;

/// The low and the high bound of a cost, in cycles.
pub type Interval = (u32, u32);

/// An assembled program at address 0.
pub struct Program {
    pub instructions: Vec<Instruction>,
}

impl Program {
    /// Assembles `source` in GNU syntax; semicolons separate statements.
    pub fn new(source: &str) -> Program {
        Program {
            instructions: decode_block(0, &assemble(source)),
        }
    }

    /// Returns the cycles of the whole program, executed from top to bottom.
    pub fn straight(&self, model: &Model) -> Interval {
        let order: Vec<usize> = (0..self.instructions.len()).collect();
        self.along(model, &order, &[])
    }

    /// Returns the cycles of the instructions with the indices `order`, in this order. Of the
    /// conditional accesses, exactly those at `happened` execute.
    pub fn along(&self, model: &Model, order: &[usize], happened: &[usize]) -> Interval {
        interval(model, &self.tally(model, order, happened))
    }

    /// Returns the tally along the path `order`. Blocks end at branches and where `order` does not
    /// continue with the next instruction, as the blocks of a translator do.
    pub fn tally(&self, model: &Model, order: &[usize], happened: &[usize]) -> Tally {
        let continues =
            |from: &usize, to: &usize| to == &(from + 1) && !self.instructions[*from].is_branch();
        let blocks: Vec<&[usize]> = order.chunk_by(continues).collect();
        self.in_blocks(model, &blocks, happened)
    }

    /// Returns the tally of `blocks`, each a list of consecutive instructions.
    pub fn in_blocks(&self, model: &Model, blocks: &[&[usize]], happened: &[usize]) -> Tally {
        let mut sum = Tally::ZERO;
        let mut from: Option<&Instruction> = None;
        for block in blocks {
            let code = &self.instructions[block[0]..=block[block.len() - 1]];
            if let Some(from) = from {
                sum += model.edge(std::slice::from_ref(from), &code[..1]);
            }
            sum += model.block(code)[code.len()];
            from = code.last();
        }
        for index in happened {
            sum += model.executed(&self.instructions[*index]);
        }
        sum
    }
}

/// Returns the cycles of `tally` with all assumptions at their low end, and at their high end.
pub fn interval(model: &Model, tally: &Tally) -> Interval {
    let lanes = model.lanes().iter().zip(&tally.0[COUNTED..]);
    lanes.fold((0, 0), |(low, high), (lane, count)| {
        // Corrections may be negative, so products wrap.
        let cost = |cycles: u32| cycles.wrapping_mul(*count);
        (low + cost(lane.low.0), high + cost(lane.high.0))
    })
}

/// Returns the model of `core` with memory without wait states.
pub fn model(core: Core) -> Model {
    let profile = Profile {
        title: "zero wait states".to_owned(),
        flash: None,
        devices: None,
    };
    Model::new(core, &profile).expect("the profile has no number to reject")
}

/// Checks rows of (program, low, high), each executed from top to bottom.
pub fn assert_straight(core: Core, rows: &[(&str, u32, u32)]) {
    let model = model(core);
    for (source, low, high) in rows {
        let cycles = Program::new(source).straight(&model);
        assert_eq!(cycles, (*low, *high), "{core:?}: {source}");
    }
}

/// Checks rows of (program, path, low, high).
pub fn assert_along(core: Core, rows: &[(&str, &[usize], u32, u32)]) {
    let model = model(core);
    for (source, order, low, high) in rows {
        let cycles = Program::new(source).along(&model, order, &[]);
        assert_eq!(cycles, (*low, *high), "{core:?}: {source} along {order:?}");
    }
}

fn assemble(source: &str) -> Vec<u8> {
    static RUNS: AtomicU32 = AtomicU32::new(0);
    let run = RUNS.fetch_add(1, Ordering::Relaxed);
    let path = |extension: &str| {
        let name = format!("program-{run}.{extension}");
        PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
    };
    let text = format!(".syntax unified\n.thumb\n.cpu cortex-m4\n.fpu fpv4-sp-d16\n{source}\n");
    std::fs::write(path("s"), text).expect("cannot write the assembler's input");
    run_tool("arm-none-eabi-as", &["-o".into(), path("o"), path("s")]);
    let binary = ["-O", "binary", "-j", ".text"].map(PathBuf::from);
    run_tool(
        "arm-none-eabi-objcopy",
        &[&binary[..], &[path("o"), path("bin")]].concat(),
    );
    std::fs::read(path("bin")).expect("cannot read the assembled program")
}

fn run_tool(tool: &str, arguments: &[PathBuf]) {
    let output = Command::new(tool).args(arguments).output();
    let output = output.unwrap_or_else(|error| panic!("cannot run {tool}: {error}"));
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{tool} failed: {complaint}");
}
