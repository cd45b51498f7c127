// SPDX-License-Identifier: MIT
//! A block of straight-line code, compiled once to what running it adds.
//!
//! A target only reports how far a block ran. Blocks run to their end unless an instruction stops
//! them: one that faults, or a device access that the target repeats by itself. Only accesses to
//! memory and divisions can stop, so counting in between would be wasted: a target adds up the
//! `advance` of each checkpoint, and the sum tells which stop, if any, was not passed.

use crate::exceptions::Jump;
use crate::image::Image;
use crate::processor::Processor;
use ticklab_armv7m::Fetches;
use ticklab_isa::{Class, Flow, Instruction, Tally};

pub struct Block {
    pub(crate) instructions: Vec<Instruction>,
    /// What the first 0, 1, 2 … instructions add.
    pub(crate) sums: Vec<Tally>,
    pub(crate) fetches: Fetches,
    /// Conditional accesses, whose execution only the access itself shows; and what it then adds.
    pub(crate) conditional: Vec<(usize, Tally)>,
    /// How the last instruction jumps, where its code does not say it all.
    pub(crate) jump: Option<Jump>,
    /// Whether it executes floating-point instructions for certain.
    pub(crate) is_float: bool,
    /// Instructions that may stop the block, the last one aside.
    stops: Vec<usize>,
}

/// Adds `advance` when instruction `before` is about to execute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    pub before: usize,
    pub advance: u32,
}

impl Block {
    /// # Panics
    /// `code` holds no whole instruction.
    #[must_use]
    pub(crate) fn new(
        processor: &dyn Processor,
        image: &Image,
        start: u32,
        code: &[u8],
        it_remaining: u8,
    ) -> Block {
        let instructions = processor.decode(start, code, it_remaining);
        assert!(!instructions.is_empty(), "a block has an instruction");
        let may_skip = |i: &Instruction| i.conditional && accesses(i);
        let conditional = (0..instructions.len())
            .filter(|&index| may_skip(&instructions[index]))
            .map(|index| (index, processor.executed(&instructions[index])));
        Block {
            sums: processor.block(&instructions),
            fetches: processor.fetches(&instructions),
            conditional: conditional.collect(),
            jump: processor.jump(&instructions, code, image),
            is_float: instructions
                .iter()
                .any(|i| i.class.is_float() && !may_skip(i)),
            stops: stops(&instructions),
            instructions,
        }
    }

    #[must_use]
    pub fn instructions(&self) -> &[Instruction] {
        &self.instructions
    }

    #[must_use]
    pub fn start(&self) -> u32 {
        self.instructions[0].address
    }

    pub(crate) fn last(&self) -> &Instruction {
        &self.instructions[self.instructions.len() - 1]
    }

    /// What a target must add up while the block runs, in order.
    pub fn checkpoints(&self) -> impl Iterator<Item = Checkpoint> + '_ {
        let mut reached = 0;
        self.stops.iter().map(move |&stop| {
            let advance = (stop + 1 - reached) as u32;
            reached = stop + 1;
            Checkpoint {
                before: stop + 1,
                advance,
            }
        })
    }

    /// What the checkpoints add up to when the block runs to its end.
    #[must_use]
    pub fn whole(&self) -> u32 {
        self.stops.last().map_or(0, |&stop| stop as u32 + 1)
    }

    /// What the first `count` instructions add, without what conditional accesses do.
    #[must_use]
    pub fn sum(&self, count: usize) -> &Tally {
        &self.sums[count]
    }

    /// Conditional accesses: which instruction, and what it adds if the access is made.
    #[must_use]
    pub fn conditional(&self) -> &[(usize, Tally)] {
        &self.conditional
    }

    /// The instruction at which the block stopped if its checkpoints added up to `reached`; none if
    /// it ran to its end.
    pub(crate) fn stopped_at(&self, reached: u32) -> Option<usize> {
        self.stops
            .iter()
            .copied()
            .find(|&stop| stop >= reached as usize)
    }
}

/// Whether the instruction accesses memory.
pub(crate) fn accesses(instruction: &Instruction) -> bool {
    instruction.reads + instruction.writes > 0
}

fn stops(block: &[Instruction]) -> Vec<usize> {
    let may_stop = |i: &Instruction| accesses(i) || i.class == Class::Divide;
    (0..block.len() - 1)
        .filter(|&index| may_stop(&block[index]))
        .collect()
}

/// Whether `instruction` itself may go on at `to`, by what its code says: exceptions and computed
/// jumps aside.
pub(crate) fn leads_to(instruction: &Instruction, to: u32) -> bool {
    let goes_on = to == instruction.end();
    match instruction.flow {
        Flow::Next | Flow::Wait | Flow::Breakpoint => goes_on,
        Flow::CondBranch { target } => to == target || goes_on,
        Flow::Branch { target } | Flow::Call { target } => {
            to == target || (instruction.conditional && goes_on)
        }
        Flow::IndirectCall
        | Flow::IndirectBranch
        | Flow::Return
        | Flow::ExceptionReturn
        | Flow::SupervisorCall
        | Flow::Undefined => instruction.conditional && goes_on,
    }
}
