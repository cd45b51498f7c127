// SPDX-License-Identifier: MIT
//! What a flash memory behind an accelerator adds: wait states less what its buffers and caches hide.
//!
//! After the STM32L4's ART accelerator (RM0394, 3.3.4): one read of the array yields a line; the line in use
//! stays in a buffer, one for instructions and one for data; lines that missed are kept in two caches of a
//! few rows. The manual leaves open whether a miss fills the whole row or one line of it. Both are followed
//! at once: an access that misses either way is a miss, one that misses only if rows fill line by line is a
//! *possible* miss.
//!
//! Lanes count misses by kind, and so leave open how long they stall. A miss in sequential code stalls for what
//! prefetch does not hide of it, and one at an exception for what stacking does not hide: both are counted in
//! cycles that may be hidden, at most one read.

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
    /// Cycles that a miss stalls at most if the line in front was in use before it.
    stall: u32,
}

impl Fetches {
    /// `begins` are the cycles in which the block's instructions begin, at the soonest.
    pub(crate) fn new(flash: &Flash, block: &[Instruction], begins: &[u32]) -> Fetches {
        let array = Array::new(flash);
        let mut fetches = Fetches::default();
        let mut in_use_since = 0;
        for (index, instruction) in block.iter().enumerate() {
            let last_byte = instruction.end().wrapping_sub(1);
            for address in [instruction.address, last_byte] {
                let known = fetches.lines.last().map(|last| last.number);
                let line = array.line(address).filter(|line| known != Some(*line));
                if let Some(number) = line {
                    let first = fetches.lines.is_empty();
                    let used = if first {
                        LEAST_USE
                    } else {
                        begins[index] - in_use_since
                    };
                    fetches.lines.push(Line {
                        number,
                        index,
                        stall: stall(flash, used),
                    });
                    in_use_since = begins[index];
                }
            }
            fetches.literal(array, index, instruction);
        }
        fetches
    }

    /// A conditional literal is read or not: its reader reports it, like other data.
    fn literal(&mut self, array: Array, index: usize, instruction: &Instruction) {
        let literal = instruction.literal.filter(|_| !instruction.conditional);
        if let Some(number) = literal.and_then(|address| array.line(address)) {
            self.literals.push(Line {
                number,
                index,
                stall: 0,
            });
        }
    }
}

/// A line of 64 bits takes at least two cycles to execute (RM0394, 3.3.4).
const LEAST_USE: u32 = 2;

/// Prefetch reads the next line while the line in front of it is in use, for `used` cycles at least; without
/// it nothing of a read is sure to be hidden.
fn stall(flash: &Flash, used: u32) -> u32 {
    if flash.prefetch {
        (flash.wait_states + 1).saturating_sub(used.max(1))
    } else {
        flash.wait_states
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
    hidden_stall: usize,
    wait_states: u32,
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
            hidden_stall: lanes.place(Assumption::FlashHiddenStall)?,
            wait_states: flash.wait_states,
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
            self.fetch_line(*line, arrival, tally);
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
        if let Some(number) = self.array.line(address) {
            let line = Line {
                number,
                index: 0,
                stall: 0,
            };
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
    fn fetch_line(&mut self, line: Line, arrival: Arrival, tally: &mut Tally) {
        let (lane, count) = match (self.instructions.access(line.number), arrival) {
            (Found::Hit, _) => return,
            (_, Arrival::Sequential) => (self.hidden_stall, line.stall),
            (_, Arrival::Exception) => (self.hidden_stall, self.wait_states),
            (Found::Miss, Arrival::Branch) => (self.miss, 1),
            (Found::PossibleMiss, Arrival::Branch) => (self.possible_miss, 1),
        };
        tally[lane] += count;
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
