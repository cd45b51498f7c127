// SPDX-License-Identifier: MIT
//! The words of a cycle model: lanes with their prices, exceptions, and what a branch does.

use crate::instruction::{Flow, Instruction};
use crate::tally::{counted, Tally};

/// Processor clock cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cycles(pub u32);

/// One timing lane: an event that a rule counts, and what one such event may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lane {
    pub name: &'static str,
    pub low: Cycles,
    pub high: Cycles,
    /// The manual and section that say so.
    pub source: &'static str,
}

/// What the processor did at an exception.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exception {
    /// Saved what it saves by itself and took a handler's first instruction.
    Entry,
    /// Left one handler for another without restoring the frame.
    TailChain,
    /// Restored what it saved and went back.
    Exit,
}

/// Which frame is on the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frame {
    /// What every exception saves: no floating-point instruction was executed so far.
    Basic,
    /// Floating-point state may be part of it, saved now, later or never.
    MaybeExtended,
}

/// The data accesses of an instruction that executes.
#[must_use]
pub fn accesses(instruction: &Instruction) -> Tally {
    Tally::ZERO
        .plus(counted::READS, instruction.reads.into())
        .plus(counted::WRITES, instruction.writes.into())
}

/// Whether the branch `from` was taken to `to`. One that may go on and whose target lies right
/// behind it is taken for one that goes on.
#[must_use]
pub fn takes(from: &Instruction, to: &Instruction) -> bool {
    let may_go_on = from.conditional || matches!(from.flow, Flow::CondBranch { .. });
    from.is_branch() && !(may_go_on && to.address == from.end())
}
