// SPDX-License-Identifier: MIT
//! Tests the cycles of CV32E40S, which the comments derive by hand from the rules of
//! docs/explanation/cycle-model-cv32e40s.md. Each number was also observed on the simulated core.

mod common;

use common::{at, bounds, documented_lanes, lanes_of, one, profile, LOAD, MRET, NOP, USE};
use ticklab_isa::{Devices, Exception, ExceptionFrame, Instruction};
use ticklab_processor::{CycleModel, ExceptionEvent};
use ticklab_rv32::Cv32e40s;

const CSRR: u32 = 0x3410_2573; // csrr a0, mepc
const CSRW: u32 = 0x3410_1073; // csrw mepc, x0
const MASK: u32 = 0x3004_7073; // csrci mstatus, 8
const PROTECT: u32 = 0x3A00_1073; // csrw pmpcfg0, x0
const FENCE: u32 = 0x0FF0_000F;
const JUMP: u32 = 0x0040_006F; // j to the next instruction
const BRANCH: u32 = 0x0000_0863; // beq x0, x0, 16 bytes further
const JR: u32 = 0x0005_0067; // jr a0
const ADD: u32 = 0x0010_0513; // li a0, 1
const DIVU: u32 = 0x0294_D533; // divu a0, s1, s1
const MULHU: u32 = 0x0294_B533; // mulhu a0, s1, s1

fn model() -> Cv32e40s {
    Cv32e40s::new(&profile(Some(Devices {
        store_cycles: 2,
        places: vec![(0x0200_0000, 0x1_0000)],
    })))
    .unwrap()
}

/// Returns the bounds of each instruction of a block, from the retirement of the one before it.
fn block(words: &[u32]) -> Vec<(u32, u32)> {
    let model = model();
    let sums = model.block(&at(0x100, words));
    sums.windows(2)
        .map(|pair| bounds(&model, &(pair[1] - pair[0])))
        .collect()
}

fn exact(cycles: &[u32]) -> Vec<(u32, u32)> {
    cycles.iter().map(|&cycles| (cycles, cycles)).collect()
}

fn edge(before: &[u32], to: &[u32]) -> (u32, u32) {
    let model = model();
    let end = 0x100 + 4 * before.len() as u32;
    bounds(&model, &model.edge(&at(0x100, before), &at(end, to)))
}

#[test]
fn instructions() {
    assert_eq!(block(&[NOP, LOAD]), exact(&[1, 1]));
    assert_eq!(block(&[MULHU]), exact(&[4]));
    assert_eq!(block(&[DIVU]), [(3, 35)]);
    assert_eq!(block(&[JUMP]), exact(&[2]));
    assert_eq!(block(&[BRANCH, NOP]), exact(&[2, 1]));
    assert_eq!(block(&[FENCE, NOP]), exact(&[3, 4]));
    assert_eq!(block(&[PROTECT, NOP, PROTECT]), exact(&[1, 5, 1]));
}

#[test]
fn an_access_to_a_csr_waits_for_the_one_before() {
    assert_eq!(block(&[CSRW, CSRR, CSRR]), exact(&[1, 3, 3]));
    assert_eq!(block(&[CSRW, NOP, CSRR]), exact(&[1, 1, 2]));
    assert_eq!(block(&[CSRW, NOP, NOP, CSRR]), exact(&[1, 1, 1, 1]));
    assert_eq!(block(&[CSRW, BRANCH, CSRR]), exact(&[1, 2, 1]));
    assert_eq!(block(&[CSRW, MULHU, CSRR]), exact(&[1, 4, 1]));
    assert_eq!(block(&[PROTECT, CSRR]), exact(&[1, 5]));
    assert_eq!(block(&[CSRW, NOP, MRET]), exact(&[1, 1, 3]));
    // The store takes 3 cycles if it reaches a device.
    let store = 0x00A4_2023; // sw a0, 0(s0)
    assert_eq!(block(&[CSRW, store, CSRR])[2], (1, 2));
}

#[test]
fn an_access_to_memory_waits_for_a_write_of_mstatus() {
    assert_eq!(block(&[MASK, LOAD]), exact(&[1, 2]));
    assert_eq!(block(&[MASK, NOP, LOAD]), exact(&[1, 1, 1]));
    assert_eq!(block(&[CSRW, LOAD]), exact(&[1, 1]));
}

#[test]
fn a_value_is_used_before_it_is_there() {
    assert_eq!(block(&[LOAD, USE]), exact(&[1, 2]));
    assert_eq!(block(&[LOAD, NOP, USE]), exact(&[1, 1, 1]));
    assert_eq!(block(&[ADD, JR]), exact(&[1, 3]));
    assert_eq!(block(&[ADD, NOP, JR]), exact(&[1, 1, 2]));
    assert_eq!(block(&[LOAD, JR]), exact(&[1, 4]));
    assert_eq!(block(&[LOAD, NOP, JR]), exact(&[1, 1, 3]));
    assert_eq!(block(&[LOAD, NOP, NOP, JR]), exact(&[1, 1, 1, 2]));
    assert_eq!(block(&[LOAD, BRANCH, JR]), exact(&[1, 2, 2]));
}

#[test]
fn the_second_instruction_of_a_block_may_wait_for_an_unknown_one() {
    assert_eq!(block(&[NOP, CSRR]), [(1, 1), (1, 2)]);
    let exact = |before: &[u32]| {
        let (low, high) = edge(before, &[NOP, CSRR]);
        let (wait, at_most) = block(&[NOP, CSRR])[1];
        (low + wait, high.wrapping_add(at_most))
    };
    assert_eq!(exact(&[NOP, NOP, CSRW]), (2, 2));
    assert_eq!(exact(&[CSRW, NOP, NOP]), (1, 1));
    // A mark at the first one, or an access that may fault, leaves the wait open.
    assert_eq!(edge(&[NOP, NOP, CSRW], &[NOP]), (0, 0));
    assert_eq!(edge(&[NOP, NOP, CSRW], &[LOAD, CSRR]), (0, 0));
}

#[test]
fn a_transition_waits_as_in_a_block() {
    assert_eq!(edge(&[NOP, CSRW], &[CSRR]), (2, 2));
    assert_eq!(edge(&[CSRW, NOP], &[CSRR]), (1, 1));
    assert_eq!(edge(&[NOP], &[CSRR]), (0, 1));
    assert_eq!(edge(&[LOAD, NOP], &[JR]), (1, 1));
    let taken = |to: Instruction| bounds(&model(), &model().edge(&[one(BRANCH)], &[to]));
    assert_eq!(taken(at(0x110, &[NOP])[0]), (1, 1));
    assert_eq!(taken(at(0x112, &[NOP])[0]), (2, 2));
    assert_eq!(taken(at(0x104, &[NOP])[0]), (0, 0));
    let jumped = |to: Instruction| bounds(&model(), &model().edge(&[one(0x0100_006F)], &[to]));
    assert_eq!(jumped(at(0x110, &[NOP])[0]), (0, 0));
    assert_eq!(jumped(at(0x112, &[NOP])[0]), (1, 1));
}

#[test]
fn traps() {
    let model = model();
    let handler = at(0x200, &[0x0400_006F])[0];
    let event = |kind, exception, from: u32, to: &Instruction| {
        let (frame, from) = (ExceptionFrame::Basic, &one(from));
        let tally = model.exception(&ExceptionEvent {
            kind,
            exception,
            frame,
            from,
            to,
        });
        bounds(&model, &tally)
    };
    let entry = |from, trap| event(Exception::Entry, trap, from, &handler);
    assert_eq!(entry(0x0000_0073, 11), (3, 3)); // ecall
    assert_eq!(entry(LOAD, 5), (4, 4));
    assert_eq!(entry(NOP, 16 + 7), (3, 7));
    let exit = |to: &Instruction| event(Exception::Exit, 16 + 7, MRET, to);
    assert_eq!(exit(&at(0x110, &[NOP])[0]), (0, 0));
    assert_eq!(exit(&at(0x112, &[NOP])[0]), (1, 1));
    assert_eq!(exit(&at(0x110, &[CSRR])[0]), (2, 2));
    assert_eq!(exit(&at(0x110, &[LOAD])[0]), (1, 1));
}

#[test]
fn the_documented_lanes_are_those_of_the_model() {
    assert_eq!(documented_lanes("cv32e40s"), lanes_of(&model()));
}
