// SPDX-License-Identifier: MIT
//! Defines the types that cycle models share: lanes with their costs, exceptions, and taken
//! branches.

use crate::instruction::{Flow, Instruction};
use crate::tally::{counted, Tally};

/// Processor clock cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cycles(pub u32);

/// One timing lane: an event that a rule counts, and the cost of one such event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lane {
    pub name: &'static str,
    pub low: Cycles,
    pub high: Cycles,
    /// The manual and section that state the cost.
    pub source: &'static str,
}

/// The action of the processor at an exception.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exception {
    /// The processor saved the exception frame and executed a handler's first instruction.
    Entry,
    /// The processor left one handler for another without restoring the frame.
    TailChain,
    /// The processor restored the exception frame and returned to the interrupted code.
    Exit,
}

/// The kind of exception frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExceptionFrame {
    /// The basic frame: no floating-point instruction was executed so far.
    Basic,
    /// The frame may include floating-point state, which is saved now, later or never.
    MaybeExtended,
}

/// Returns the data accesses of an executed instruction.
#[must_use]
pub fn accesses(instruction: &Instruction) -> Tally {
    Tally::ZERO
        .plus(counted::READS, instruction.reads.into())
        .plus(counted::WRITES, instruction.writes.into())
}

/// Returns whether the branch `from` was taken to `to`. If a conditional branch has the next
/// instruction as its target, the branch is assumed not taken.
#[must_use]
pub fn takes(from: &Instruction, to: &Instruction) -> bool {
    let may_go_on = from.conditional || matches!(from.flow, Flow::CondBranch { .. });
    from.is_branch() && !(may_go_on && to.address == from.end())
}
