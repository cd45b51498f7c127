// SPDX-License-Identifier: MIT
//! Instructions, bounds and documented lanes, which the tests of the cycle models share.
#![allow(dead_code, reason = "each test file uses some of it")]

use ticklab_isa::{Devices, Instruction, Profile, Tally, COUNTED};
use ticklab_processor::CycleModel;
use ticklab_rv32::decode_block;

pub const NOP: u32 = 0x0000_0013;
/// lw a0, 0(s0); add a1, a0, a0.
pub const LOAD: u32 = 0x0004_2503;
pub const USE: u32 = 0x00A5_05B3;
pub const MRET: u32 = 0x3020_0073;
pub const ECALL: u32 = 0x0000_0073;

pub fn profile(devices: Option<Devices>) -> Profile {
    Profile {
        title: "test".to_owned(),
        flash: None,
        devices,
    }
}

pub fn at(start: u32, words: &[u32]) -> Vec<Instruction> {
    let code: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    decode_block(start, &code)
}

pub fn one(word: u32) -> Instruction {
    at(0x100, &[word])[0]
}

/// Returns the bounds of a tally in cycles.
pub fn bounds(model: &dyn CycleModel, tally: &Tally) -> (u32, u32) {
    let lanes = || model.lanes().iter().zip(&tally.0[COUNTED..]);
    let sum = |sum: u32, (cycles, count): (u32, u32)| sum.wrapping_add(cycles.wrapping_mul(count));
    let low = lanes().map(|(lane, &count)| (lane.low.0, count));
    let high = lanes().map(|(lane, &count)| (lane.high.0, count));
    (low.fold(0, sum), high.fold(0, sum))
}

/// Returns name, low, high and source of each lane in the page about the model of `core`.
pub fn documented_lanes(core: &str) -> Vec<[String; 4]> {
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join(format!("../../docs/explanation/cycle-model-{core}.md"));
    let text = std::fs::read_to_string(file).unwrap();
    let rows = text.lines().filter(|line| line.starts_with("| `"));
    rows.map(|row| row.split('|').map(str::trim).collect::<Vec<_>>())
        .map(|cells| [cells[1], cells[3], cells[4], cells[5]].map(str::to_owned))
        .collect()
}

pub fn lanes_of(model: &dyn CycleModel) -> Vec<[String; 4]> {
    let lanes = model.lanes().iter().map(|lane| {
        let (low, high) = (lane.low.0.to_string(), lane.high.0.to_string());
        let name = format!("`{}`", lane.name);
        [name, low, high, lane.source.to_owned()]
    });
    lanes.collect()
}
