// SPDX-License-Identifier: MIT
//! Tests the cycles of Ibex, which the comments derive by hand from the rules of
//! docs/explanation/cycle-model-ibex.md. The RTL simulation is the reference for the rules
//! themselves: tests of the lab compare whole scenarios with it.

mod common;

use common::{at, documented_lanes, lanes_of, one, profile, ECALL, LOAD, MRET, NOP, USE};
use ticklab_isa::{Devices, Exception, ExceptionFrame, Instruction, Tally};
use ticklab_processor::{CycleModel, ExceptionEvent};
use ticklab_rv32::{decode_block, Ibex};

const C_NOP: u16 = 0x0001;

fn model() -> Ibex {
    Ibex::new(&profile(None)).unwrap()
}

fn bounds(tally: &Tally) -> (u32, u32) {
    common::bounds(&model(), tally)
}

fn block(words: &[u32]) -> (u32, u32) {
    bounds(model().block(&at(0x100, words)).last().unwrap())
}

fn edge(from: u32, to: &Instruction) -> (u32, u32) {
    bounds(&model().edge(&[one(from)], &[*to]))
}

#[test]
fn instructions() {
    let mul = 0x0294_8533; // mul a0, s1, s1
    let mulh = 0x0294_9533;
    let divu = 0x0294_D533;
    let csrr = 0x3410_2573; // csrr a0, mepc
    for (word, cycles) in [
        (NOP, 1),
        (LOAD, 1),
        (mul, 1),
        (mulh, 2),
        (divu, 37),
        (csrr, 1),
    ] {
        assert_eq!(block(&[word]), (cycles, cycles), "{word:#x}");
    }
}

#[test]
fn a_store_to_a_device_takes_longer() {
    let devices = Devices {
        store_cycles: 1,
        places: vec![(0x0200_0000, 0x1_0000)],
    };
    let model = Ibex::new(&profile(Some(devices))).unwrap();
    let cycles = |address| model.access(address).map(|tally| bounds(&tally));
    assert_eq!(cycles(0x0200_4000), Some((1, 1)));
    assert_eq!(cycles(0x0201_0000), None);
    assert!(model.needs_address(&one(0x00A4_2023))); // sw a0, 0(s0)
    assert!(!model.needs_address(&one(0x00A1_2023))); // sw a0, 0(sp)
    assert!(!model.needs_address(&one(LOAD)));
}

#[test]
fn the_use_of_a_loaded_value_in_the_next_instruction_stalls() {
    assert_eq!(block(&[LOAD, USE]), (3, 3));
    assert_eq!(block(&[LOAD, NOP, USE]), (3, 3));
    assert_eq!(edge(LOAD, &one(USE)), (1, 1));
    let store = 0x00A1_2023; // sw a0, 0(sp): the value, not the address
    assert_eq!(block(&[LOAD, store]), (3, 3));
    let to_zero = 0x0004_2003; // lw x0, 0(s0)
    assert_eq!(block(&[to_zero, 0x0000_0533]), (2, 2)); // add a0, x0, x0
}

#[test]
fn a_taken_branch_refills_from_one_word_or_two() {
    let jump = 0x0100_006F; // j 0x110
    let half = decode_block(0x112, &C_NOP.to_le_bytes())[0];
    assert_eq!(edge(jump, &at(0x110, &[NOP])[0]), (1, 1));
    assert_eq!(edge(jump, &half), (1, 1));
    assert_eq!(edge(jump, &at(0x112, &[NOP])[0]), (2, 2));
    let branch = 0x0000_0863; // beq x0, x0, 0x110
    assert_eq!(edge(branch, &at(0x110, &[NOP])[0]), (1, 1));
    assert_eq!(edge(branch, &at(0x104, &[NOP])[0]), (0, 0));
}

#[test]
fn a_write_that_may_unmask_flushes_the_pipeline() {
    let next = at(0x104, &[NOP])[0];
    for (word, cycles) in [
        (0x3000_1073, 2), // csrw mstatus, x0
        (0x3044_6073, 2), // csrsi mie, 8
        (0x3A00_1073, 2), // csrw pmpcfg0, x0
        (0x3004_7073, 0), // csrci mstatus, 8
        (0x3000_2073, 0), // csrr x0, mstatus
        (0x3410_1073, 0), // csrw mepc, x0
        (0x0000_100F, 1), // fence.i
        (0x0FF0_000F, 0), // fence
    ] {
        assert_eq!(edge(word, &next), (cycles, cycles), "{word:#x}");
    }
}

#[test]
fn traps() {
    let model = model();
    let handler = at(0x200, &[0x0400_006F])[0];
    let event = |kind, exception, from: u32, to: &Instruction| {
        let (frame, from) = (ExceptionFrame::Basic, &one(from));
        bounds(&model.exception(&ExceptionEvent {
            kind,
            exception,
            frame,
            from,
            to,
        }))
    };
    let entry = |from, trap| event(Exception::Entry, trap, from, &handler);
    assert_eq!(entry(ECALL, 11), (2, 2));
    assert_eq!(entry(LOAD, 5), (4, 5));
    assert_eq!(entry(0, 2), (3, 3));
    assert_eq!(entry(NOP, 16 + 7), (3, 5));
    let exit = |to: &Instruction| event(Exception::Exit, 16 + 7, MRET, to);
    assert_eq!(exit(&at(0x110, &[NOP])[0]), (2, 2));
    assert_eq!(exit(&at(0x112, &[NOP])[0]), (3, 3));
}

#[test]
fn the_cycles_before_retirement_are_all_but_the_last() {
    let model = model();
    let sums = model.block(&at(0x100, &[LOAD, USE, 0x0294_9533]));
    let cycles = |index| bounds(&model.cycles_before_retirement(&sums, index));
    assert_eq!([cycles(0), cycles(1), cycles(2)], [(0, 0), (1, 1), (1, 1)]);
}

#[test]
fn the_documented_lanes_are_those_of_the_model() {
    assert_eq!(documented_lanes("ibex"), lanes_of(&model()));
}
