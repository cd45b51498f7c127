// SPDX-License-Identifier: MIT
//! What a flash memory behind an accelerator adds: wait states less what its buffers and caches hide.
//!
//! After the STM32L4's ART accelerator (RM0394, 3.3.4): one read of the array yields a line; the line in use
//! stays in a buffer, one for instructions and one for data; lines that missed are kept in two caches of a
//! few rows. The manual leaves open whether a miss fills the whole row or one line of it. Both are followed
//! at once: an access that misses either way is a miss, one that misses only if rows fill line by line is a
//! *possible* miss.
//!
//! How long a miss stalls is not decided here: lanes count them by kind. A miss in sequential code may be
//! hidden by prefetch or by instructions that still execute; one behind an exception by the stacking.

mod cache;

use crate::instruction::Instruction;
use crate::model::{Assumption, Lanes};
use crate::profile::Flash;
use crate::tally::Tally;
use cache::{Array, Found, Rows};

/// How execution came to a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrival {
    /// From the instruction in front of it.
    Sequential,
    /// By a taken branch.
    Branch,
    /// By an exception's entry, exit or tail-chain, while the processor stacks or unstacks.
    Exception,
}

/// What executing a block reads from flash memory, worked out once when the block is decoded.
#[derive(Clone, Debug, Default)]
pub struct Fetches {
    lines: Vec<Line>,
    literals: Vec<Line>,
}

/// A line of the flash memory, first needed by the block's instruction `index`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Line {
    number: u32,
    index: usize,
}

impl Fetches {
    pub(crate) fn new(flash: &Flash, block: &[Instruction]) -> Fetches {
        let array = Array::new(flash);
        let mut fetches = Fetches::default();
        for (index, instruction) in block.iter().enumerate() {
            let last_byte = instruction.end().wrapping_sub(1);
            for address in [instruction.address, last_byte] {
                fetches.code(array.line(address), index);
            }
            // A conditional literal is read or not: its reader reports it, like other data.
            let literal = instruction.literal.filter(|_| !instruction.conditional);
            if let Some(number) = literal.and_then(|address| array.line(address)) {
                fetches.literals.push(Line { number, index });
            }
        }
        fetches
    }

    fn code(&mut self, line: Option<u32>, index: usize) {
        let known = self.lines.last().map(|last| last.number);
        if let Some(number) = line.filter(|_| line != known) {
            self.lines.push(Line { number, index });
        }
    }
}

/// The state of the memories along one execution, and where its misses are counted.
#[derive(Clone, Debug)]
pub struct MemorySystem {
    array: Array,
    instructions: Rows,
    data: Rows,
    miss: usize,
    possible_miss: usize,
    sequential_miss: usize,
    literal_miss: usize,
}

impl MemorySystem {
    pub(crate) fn new(flash: &Flash, lanes: &Lanes) -> Option<MemorySystem> {
        let array = Array::new(flash);
        Some(MemorySystem {
            array,
            instructions: Rows::new(array, flash.instruction_cache),
            data: Rows::new(array, flash.data_cache),
            miss: lanes.place(Assumption::FlashMiss)?,
            possible_miss: lanes.place(Assumption::FlashPossibleMiss)?,
            sequential_miss: lanes.place(Assumption::FlashSequentialMiss)?,
            literal_miss: lanes.place(Assumption::LiteralMiss)?,
        })
    }

    /// The first `executed` instructions of a block were executed: its lines are fetched and its literals
    /// read.
    #[inline]
    pub fn fetch(
        &mut self,
        fetches: &Fetches,
        executed: usize,
        arrival: Arrival,
        tally: &mut Tally,
    ) {
        let mut arrival = arrival;
        for line in fetches
            .lines
            .iter()
            .take_while(|line| line.index < executed)
        {
            self.fetch_line(line.number, arrival, tally);
            arrival = Arrival::Sequential;
        }
        for literal in fetches
            .literals
            .iter()
            .take_while(|line| line.index < executed)
        {
            self.read_line(literal.number, tally);
        }
    }

    /// The processor fetched the vector at `address`, over the bus of instructions (DDI 0337G, 12.3) and
    /// while it stacked.
    #[inline]
    pub fn vector(&mut self, address: u32, tally: &mut Tally) {
        if let Some(line) = self.array.line(address) {
            self.fetch_line(line, Arrival::Exception, tally);
        }
    }

    /// An instruction read data at `address`, other than the unconditional literals that
    /// [`MemorySystem::fetch`] knows of.
    #[inline]
    pub fn read(&mut self, address: u32, tally: &mut Tally) {
        if let Some(line) = self.array.line(address) {
            self.read_line(line, tally);
        }
    }

    /// Whether reads of `address` can have wait states.
    #[inline]
    #[must_use]
    pub fn covers(&self, address: u32) -> bool {
        self.array.line(address).is_some()
    }

    #[inline]
    fn fetch_line(&mut self, line: u32, arrival: Arrival, tally: &mut Tally) {
        let lane = match (self.instructions.access(line), arrival) {
            (Found::Hit, _) => return,
            (_, Arrival::Sequential) => self.sequential_miss,
            (Found::Miss, Arrival::Branch) => self.miss,
            (_, Arrival::Exception) | (Found::PossibleMiss, _) => self.possible_miss,
        };
        tally[lane] += 1;
    }

    #[inline]
    fn read_line(&mut self, line: u32, tally: &mut Tally) {
        match self.data.access(line) {
            Found::Hit => {}
            Found::Miss => tally[self.literal_miss] += 1,
            Found::PossibleMiss => tally[self.possible_miss] += 1,
        }
    }
}
