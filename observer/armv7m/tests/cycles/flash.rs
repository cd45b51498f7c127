// SPDX-License-Identifier: MIT
//! Tests the stalls of the STM32L4's flash memory: 4 wait states, lines of 8 bytes, rows of 4
//! lines.
//!
//! A miss after a branch takes from one read (4 cycles) to two reads (4 + 1 + 4). A possible miss
//! takes 0 to 9. A miss in sequential code takes the time that prefetch does not hide: 5 minus the
//! cycles for which the line before is in use, if that line was read as well; possibly 0 otherwise.

use crate::profiles;
use crate::program::{interval, Interval, Program};
use ticklab_armv7m::{Core, Model};
use ticklab_isa::{Instruction, Profile, Tally};
use ticklab_memory::Arrival::{self, Branch, Exception, Sequential};
use ticklab_memory::MemorySystem;
use ticklab_processor::CycleModel;

const MISS: Interval = (4, 9);
const POSSIBLE_MISS: Interval = (0, 9);
const HIT: Interval = (0, 0);

struct Machine {
    model: Model,
    memory: MemorySystem,
}

impl Machine {
    fn new() -> Machine {
        Machine::with(&profiles::read("stm32l4-80mhz"))
    }

    fn with(profile: &Profile) -> Machine {
        let model = Model::new(Core::CortexM4, profile);
        let model = model.expect("the profile is valid");
        let memory = model.memory().expect("the profile has flash memory");
        Machine { model, memory }
    }

    fn counts(&mut self, access: impl FnOnce(&mut MemorySystem, &mut Tally)) -> Interval {
        let mut tally = Tally::ZERO;
        access(&mut self.memory, &mut tally);
        interval(&self.model, &tally)
    }

    fn fetch(&mut self, block: &[Instruction], arrival: Arrival) -> Interval {
        let fetches = self.model.fetches(block);
        self.counts(|memory, tally| memory.fetch(&fetches, block.len(), arrival, tally))
    }

    /// Executes one NOP at `address`.
    fn at(&mut self, address: u32, arrival: Arrival) -> Interval {
        let block = ticklab_armv7m::decode_block(address, &[0x00, 0xBF]);
        self.fetch(&block, arrival)
    }

    fn read(&mut self, address: u32) -> Interval {
        self.counts(|memory, tally| memory.read(address, tally))
    }
}

/// Returns the program `source` at address 24, so that its second line of flash belongs to another
/// row.
fn last_line_of_a_row(source: &str) -> Vec<Instruction> {
    let filler = 24 / 2;
    Program::new(&format!(".space 24; {source}"))
        .instructions
        .split_off(filler)
}

#[test]
fn a_loop_in_one_line_is_fetched_once() {
    let mut machine = Machine::new();
    let block = Program::new("nop; nop; b 0").instructions;
    assert_eq!(machine.fetch(&block, Branch), MISS);
    assert_eq!(machine.fetch(&block, Branch), HIT);
}

/// A flash memory whose profile names no caches keeps only the line in use.
#[test]
fn without_caches_each_other_line_is_read_again() {
    let caches = profiles::FLASH.find("instruction_cache").expect("caches");
    let profile = profiles::parse(&profiles::FLASH[..caches]).expect("caches are optional");
    let mut machine = Machine::with(&profile);
    let block = Program::new("nop; nop; b 0").instructions;
    assert_eq!(machine.fetch(&block, Branch), MISS);
    assert_eq!(machine.fetch(&block, Branch), HIT);
    for _ in 0..2 {
        assert_eq!(machine.at(0x100, Branch), MISS);
        assert_eq!(machine.at(0x200, Branch), MISS);
        assert_eq!([machine.read(0x100), machine.read(0x100)], [MISS, HIT]);
        assert_eq!(machine.read(0x200), MISS);
    }
}

#[test]
fn prefetch_hides_the_time_of_the_line_in_use() {
    let rows = [
        // The next sequential line, after four cycles: 5 - 4.
        ("nop; nop; nop; nop; nop", 1, 1),
        // After two instructions of 32 bits: 5 - 2.
        ("mov.w r0, r1; mov.w r0, r1; nop", 3, 3),
        // After 1 + 1 + (1 to 2) cycles: 5 - 4 to 5 - 3.
        ("nop; nop; mrs r0, basepri; nop", 1, 2),
        // After 1 + 4 cycles or more.
        ("nop; push {r4-r6}; nop; nop; nop", 0, 0),
    ];
    for (source, least, most) in rows {
        let mut machine = Machine::new();
        let block = last_line_of_a_row(source);
        let cycles = machine.fetch(&block, Branch);
        assert_eq!(cycles, (MISS.0 + least, MISS.1 + most), "{source}");
        assert_eq!(machine.fetch(&block, Branch), HIT);
    }
}

#[test]
fn a_prefetch_after_a_hit_may_hide_the_whole_stall() {
    let mut machine = Machine::new();
    assert_eq!(machine.at(24, Branch), MISS);
    assert_eq!(machine.at(0x100, Branch), MISS);
    let block = last_line_of_a_row("nop; nop; nop; nop; nop");
    assert_eq!(machine.fetch(&block, Branch), (0, 1));
}

#[test]
fn a_prefetched_line_may_not_be_kept() {
    let mut machine = Machine::new();
    machine.fetch(&last_line_of_a_row("nop; nop; nop; nop; nop"), Branch);
    assert_eq!(machine.at(0x100, Branch), MISS);
    assert_eq!(machine.at(32, Branch), POSSIBLE_MISS);
    assert_eq!(machine.at(0x100, Branch), HIT);
    assert_eq!(machine.at(32, Branch), HIT);
}

#[test]
fn without_prefetch_a_sequential_miss_may_take_a_whole_read() {
    let mut profile = profiles::read("stm32l4-80mhz");
    profile.flash.as_mut().expect("flash memory").prefetch = false;
    let mut machine = Machine::with(&profile);
    let block = Program::new("nop; nop; nop; nop; nop").instructions;
    assert_eq!(machine.fetch(&block, Branch), (MISS.0, MISS.1 + 4));
}

#[test]
fn an_instruction_across_two_lines_needs_both() {
    let mut machine = Machine::new();
    let block = Program::new("nop; nop; nop; mov.w r0, r1").instructions;
    let fetches = machine.model.fetches(&block);
    let three = machine.counts(|memory, tally| memory.fetch(&fetches, 3, Branch, tally));
    assert_eq!(three, MISS);
    // The first line is still in use, after at least three cycles: 5 - 3.
    let four = machine.counts(|memory, tally| memory.fetch(&fetches, 4, Branch, tally));
    assert_eq!(four, (0, 2));
}

#[test]
fn another_line_of_a_held_row_may_miss_or_not() {
    let mut machine = Machine::new();
    assert_eq!(machine.at(0, Branch), MISS);
    assert_eq!(machine.at(8, Branch), POSSIBLE_MISS);
    // After a line that was in use for at least two cycles: 5 - 2.
    assert_eq!(machine.at(16, Sequential), (0, 3));
    // All four lines of the first row may be held, but no line of the second row.
    assert_eq!(machine.at(8, Branch), HIT);
    assert_eq!(machine.at(32, Branch), MISS);
}

#[test]
fn stacking_may_hide_the_misses_of_an_exception() {
    let mut machine = Machine::new();
    let vector = |memory: &mut MemorySystem, tally: &mut Tally| memory.vector(0x38, tally);
    // The read is parallel to the stacking.
    assert_eq!(machine.counts(vector), (0, 4));
    assert_eq!(machine.counts(vector), HIT);
    assert_eq!(machine.at(0x400, Exception), (0, 4));
}

#[test]
fn a_loop_over_33_rows_always_misses_and_one_over_32_never() {
    for (rows, again) in [(32, HIT), (33, MISS)] {
        let mut machine = Machine::new();
        for row in 0..rows {
            assert_eq!(machine.at(row * 32, Branch), MISS);
        }
        for row in 0..rows {
            assert_eq!(
                machine.at(row * 32, Branch),
                again,
                "{rows} rows, row {row}"
            );
        }
    }
}

#[test]
fn literals_have_a_cache_of_their_own() {
    let mut machine = Machine::new();
    // The NOP places the literal at 8, in the line after the code's.
    let block = Program::new("ldr r0, [pc, #4]; nop").instructions;
    assert_eq!(
        machine.fetch(&block, Branch),
        (MISS.0 + MISS.0, MISS.1 + MISS.1)
    );
    assert_eq!(machine.fetch(&block, Branch), HIT);
    assert_eq!(machine.read(0), POSSIBLE_MISS);
    // The cache has eight rows: the read of a ninth row evicts the first.
    for row in 1..=8 {
        assert_eq!(machine.read(row * 32), MISS);
    }
    assert_eq!(machine.read(8), MISS);
}

#[test]
fn a_conditional_literal_is_counted_only_when_it_is_read() {
    let mut machine = Machine::new();
    let block = Program::new("it eq; ldreq r0, [pc, #4]").instructions;
    assert_eq!(machine.fetch(&block, Branch), MISS);
    assert_eq!(machine.read(block[1].literal.expect("a literal")), MISS);
}

#[test]
fn data_memory_never_waits() {
    let mut machine = Machine::new();
    assert_eq!(machine.read(0x2000_0000), HIT);
    assert_eq!(machine.at(0x2000_0000, Branch), HIT);
}
