// SPDX-License-Identifier: MIT
//! A block of straight-line code, compiled once to the tallies of its instructions.
//!
//! A target reports only how far a block was executed. A block is executed to its end unless an
//! instruction stops it: an instruction that faults, or an access to a device, which the target
//! executes again alone. Only memory accesses, divisions and few other instructions can stop a
//! block (`InstructionSet::may_stop`). So the target need not count every instruction: at each
//! checkpoint, which precedes such an instruction, it adds a number to a sum, and the sum shows
//! which instruction stopped the block, if any.

use std::ops::Range;
use ticklab_image::Image;
use ticklab_isa::{counted, Instruction, Tally};
use ticklab_memory::Fetches;
use ticklab_processor::{CodeState, CycleModel, InstructionSet, Jump, MaskEffect};

/// The number of a block that the core knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BlockId(pub usize);

pub struct Block {
    state: CodeState,
    pub(crate) instructions: Vec<Instruction>,
    /// The sums of the tallies of the block's first 0, 1, 2 … instructions.
    pub(crate) sums: Vec<Tally>,
    pub(crate) fetches: Fetches,
    /// Conditional accesses, which are known to be executed only when the target reports them, and
    /// their tallies.
    pub(crate) conditional: Vec<(usize, Tally)>,
    /// The possible meaning of the computed jump at the end; `None` if there is no such jump.
    pub(crate) jump: Option<Jump>,
    /// The index of the instruction after which thread mode uses another stack; `None` if the block
    /// has none.
    pub(crate) stack_change: Option<usize>,
    /// Whether the block certainly executes floating-point instructions.
    pub(crate) is_float: bool,
    /// Indices of the instructions, except the last one, at which execution of the block may stop.
    stops: Vec<usize>,
}

/// A checkpoint: when instruction `before` is about to execute, the target adds `advance` to its
/// sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    pub before: usize,
    pub advance: u32,
}

impl Block {
    /// # Panics
    /// `code` contains no complete instruction.
    #[must_use]
    pub(crate) fn new(
        set: &dyn InstructionSet,
        model: &dyn CycleModel,
        image: &Image,
        start: u32,
        code: &[u8],
        it_remaining: u8,
        state: CodeState,
    ) -> Block {
        let instructions = set.decode(start, code, it_remaining, state);
        assert!(!instructions.is_empty(), "a block has an instruction");
        let may_skip = |i: &Instruction| i.conditional && i.accesses_memory();
        let conditional = (0..instructions.len())
            .filter(|&index| may_skip(&instructions[index]))
            .map(|index| (index, model.executed(&instructions[index])));
        Block {
            state,
            sums: model.block(&instructions),
            fetches: model.fetches(&instructions),
            conditional: conditional.collect(),
            jump: set.jump(&instructions, code, image),
            stack_change: stack_change(set, &instructions, code, state),
            is_float: instructions
                .iter()
                .any(|i| i.class.is_float() && !may_skip(i)),
            stops: stops(set, &instructions),
            instructions,
        }
    }

    /// Counts the instructions at the addresses in `port` in the lane `port`.
    pub(crate) fn count_port(&mut self, port: &[Range<u32>]) {
        let mut count = 0;
        for (instruction, sum) in self.instructions.iter().zip(&mut self.sums[1..]) {
            let is_port = port
                .iter()
                .any(|range| range.contains(&instruction.address));
            count += u32::from(is_port);
            sum[counted::PORT] = count;
        }
    }

    #[must_use]
    pub fn instructions(&self) -> &[Instruction] {
        &self.instructions
    }

    /// Returns the state (for example A32 or T32) in which the processor executes the block.
    #[must_use]
    pub fn state(&self) -> CodeState {
        self.state
    }

    #[must_use]
    pub fn start(&self) -> u32 {
        self.instructions[0].address
    }

    pub(crate) fn last(&self) -> &Instruction {
        &self.instructions[self.instructions.len() - 1]
    }

    /// Returns the checkpoints of the block, in order.
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

    /// Returns the sum that the block's checkpoints add up to if the block is executed to its end.
    #[must_use]
    pub fn whole(&self) -> u32 {
        self.stops.last().map_or(0, |&stop| stop as u32 + 1)
    }

    /// Returns the tally of the first `count` instructions, with conditional accesses counted as
    /// skipped.
    #[must_use]
    pub fn sum(&self, count: usize) -> &Tally {
        &self.sums[count]
    }

    /// Returns the conditional accesses: the index of the instruction, and the tally to add if it
    /// executes.
    #[must_use]
    pub fn conditional(&self) -> &[(usize, Tally)] {
        &self.conditional
    }

    /// Returns the instruction that stopped the block, given the sum of its checkpoints, or `None`
    /// if the block was executed to its end.
    pub(crate) fn stopped_at(&self, reached: u32) -> Option<usize> {
        self.stops
            .iter()
            .copied()
            .find(|&stop| stop >= reached as usize)
    }
}

/// Returns the last instruction that makes thread mode use another stack.
fn stack_change(
    set: &dyn InstructionSet,
    block: &[Instruction],
    code: &[u8],
    state: CodeState,
) -> Option<usize> {
    let bytes = |i: &Instruction| {
        let offset = (i.address - block[0].address) as usize;
        &code[offset..offset + usize::from(i.size)]
    };
    let preceding = |end: u32| {
        let before = block.iter().find(|i| i.end() == end)?;
        Some((before, bytes(before)))
    };
    block
        .iter()
        .rposition(|i| set.mask_effect(i, bytes(i), state, &preceding) == Some(MaskEffect::Stack))
}

fn stops(set: &dyn InstructionSet, block: &[Instruction]) -> Vec<usize> {
    (0..block.len() - 1)
        .filter(|&index| set.may_stop(&block[index]))
        .collect()
}
