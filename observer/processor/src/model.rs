// SPDX-License-Identifier: MIT
//! Defines the interface of a cycle model, and the model that counts no cycles.

use ticklab_isa::{accesses, counted, Exception, ExceptionFrame, Instruction, Lane, Tally};
use ticklab_memory::{Fetches, MemorySystem};

/// An entry, exit or tail-chaining of an exception, of which a cycle model returns the cost.
pub struct ExceptionEvent<'a> {
    pub kind: Exception,
    /// The exception that is entered or left.
    pub exception: u16,
    pub frame: ExceptionFrame,
    /// The last instruction before the event, or the instruction that faulted.
    pub from: &'a Instruction,
    pub to: &'a Instruction,
}

/// A cycle model: the costs of one core with one timing profile.
///
/// The caller adds these tallies in the order of execution: [`CycleModel::block`] for the executed
/// instructions of a block, [`CycleModel::executed`] for each conditional access among them that
/// was performed, and either [`CycleModel::edge`] or [`CycleModel::exception`] for the transition
/// to the next block. A [`MemorySystem`] adds the stalls of memory.
pub trait CycleModel {
    /// Returns the timing lanes: lane `COUNTED` of a tally and the lanes after it.
    fn lanes(&self) -> &[Lane];

    /// Returns the tallies of the block's first 0, 1, 2 … n instructions, without the transition to
    /// the next block. Conditional accesses are counted as skipped; see [`CycleModel::executed`].
    fn block(&self, block: &[Instruction]) -> Vec<Tally>;

    /// Returns the tally to add to a block's sum for a conditional access that was executed.
    fn executed(&self, instruction: &Instruction) -> Tally {
        accesses(instruction)
    }

    /// Returns the tally of the transition from `before`, the executed instructions of a block, to
    /// `to`, the instructions of the next one up to the first with a mark. It may be negative.
    /// Neither is empty.
    fn edge(&self, before: &[Instruction], to: &[Instruction]) -> Tally;

    /// Returns the cycles of an exception event, in place of [`CycleModel::edge`]. The caller adds
    /// the counted lanes.
    fn exception(&self, event: &ExceptionEvent) -> Tally;

    /// Returns the cycles of instruction `index` that have passed when its mark is observed. `sums`
    /// is the result of [`CycleModel::block`].
    fn cycles_before_retirement(&self, _sums: &[Tally], _index: usize) -> Tally {
        Tally::ZERO
    }

    /// Returns the reads that a block makes from memory with wait states.
    fn fetches(&self, _block: &[Instruction]) -> Fetches {
        Fetches::default()
    }

    /// Returns the memories in their state after reset, or `None` if no memory has wait states.
    fn memory(&self) -> Option<MemorySystem> {
        None
    }

    /// Returns whether the cost of `instruction` depends on the address that it accesses.
    fn needs_address(&self, _instruction: &Instruction) -> bool {
        false
    }

    /// Returns the additional cycles of an access to `address`, or `None` if there are none. Used
    /// only for a model without a [`MemorySystem`].
    fn access(&self, _address: u32) -> Option<Tally> {
        None
    }

    /// Returns whether the cost of a block may differ from one execution to the next, because it
    /// depends on what was executed before.
    fn has_history(&self) -> bool {
        false
    }
}

/// The model of a core without a cycle model: counts instructions and accesses, but no cycles.
#[derive(Clone, Copy, Debug)]
pub struct Counting;

impl CycleModel for Counting {
    fn lanes(&self) -> &[Lane] {
        &[]
    }

    fn block(&self, block: &[Instruction]) -> Vec<Tally> {
        let mut sum = Tally::ZERO;
        let mut sums = vec![sum];
        for instruction in block {
            sum += Tally::one(counted::INSTRUCTIONS);
            if !instruction.conditional {
                sum += accesses(instruction);
            }
            sums.push(sum);
        }
        sums
    }

    fn edge(&self, _before: &[Instruction], _to: &[Instruction]) -> Tally {
        Tally::ZERO
    }

    fn exception(&self, _event: &ExceptionEvent) -> Tally {
        Tally::ZERO
    }
}
