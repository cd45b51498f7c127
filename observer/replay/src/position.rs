// SPDX-License-Identifier: MIT
//! The position of the guest's execution: the running block, and what is known about its execution
//! so far.

use crate::block::BlockId;
use ticklab_isa::ExceptionFrame;
use ticklab_memory::Arrival;

pub(crate) struct Position {
    pub running: Option<BlockId>,
    pub arrival: Arrival,
    /// How many instructions of the running block are already in the tally.
    pub added: usize,
    /// Addresses of the conditional instructions that accessed memory in the running block.
    pub accessed: Vec<u32>,
    /// The address of the access that stopped the running block and completed nevertheless.
    pub completed: Option<u32>,
    /// The instruction of the running block at which a mark was passed last, if no instruction was
    /// executed since.
    pub marked: Option<usize>,
    /// The mark at the entry of the exception whose handler the running block begins. Out of date
    /// after a plain transition ([`crate::Core::was_plain`]).
    pub entered: Option<usize>,
    /// See [`crate::Core::was_plain`].
    pub was_plain: bool,
    /// The frame that the next exception stacks, which depends on whether floating-point code was
    /// executed.
    pub frame: ExceptionFrame,
}

impl Position {
    /// Returns the position at reset.
    pub fn new() -> Position {
        Position {
            running: None,
            arrival: Arrival::Branch,
            added: 0,
            accessed: Vec::new(),
            completed: None,
            marked: None,
            entered: None,
            was_plain: false,
            frame: ExceptionFrame::Basic,
        }
    }

    #[inline]
    pub fn enter(&mut self, next: BlockId) {
        self.running = Some(next);
        (self.added, self.marked) = (0, None);
    }
}
