// SPDX-License-Identifier: MIT
//! Defines the interface between the replay core and a processor: how code is decoded, what it
//! costs, and how exceptions are entered and left.
//!
//! All other code is the same for every instruction set. Each instruction set has one module here.

mod armv7m;
mod rv32;

use crate::exceptions::{ExceptionChange, ExceptionStack, Jump, Transition};
use crate::handlers::Handlers;
use crate::image::{Image, Isa};
use crate::plan::Plan;
use crate::Error;
use ticklab_armv7m::{Fetches, MemorySystem};
use ticklab_isa::{Exception, Flow, Frame, Instruction, Lane, Tally};

/// The entry, exit or tail-chaining of an exception, for its cost.
pub(crate) struct ExceptionEvent<'a> {
    pub kind: Exception,
    /// The exception that is entered or left.
    pub exception: u16,
    pub frame: Frame,
    /// The last instruction before it, or the one that faulted.
    pub from: &'a Instruction,
    pub to: &'a Instruction,
}

pub(crate) trait Processor {
    // --- Code

    /// Returns the size in bytes of the instruction that begins with this halfword.
    fn size(&self, first: [u8; 2]) -> usize;

    /// Decodes a block whose first `it_remaining` instructions belong to an IT block before it.
    fn decode(&self, start: u32, code: &[u8], it_remaining: u8) -> Vec<Instruction>;

    /// Returns the instructions of a block that certainly store to `address`.
    fn stores(&self, start: u32, code: &[u8], address: u32) -> Vec<usize>;

    // --- Cycles

    fn lanes(&self) -> &[Lane];

    /// Returns the tallies of the block's first 0, 1, 2 … instructions.
    fn block(&self, block: &[Instruction]) -> Vec<Tally>;

    /// Returns the tally to add for a conditional access that was executed.
    fn executed(&self, instruction: &Instruction) -> Tally;

    /// Returns the tally of the transition from one block to the next.
    fn edge(&self, from: &Instruction, to: &Instruction) -> Tally;

    /// Returns the cycles of an exception event, in place of [`Processor::edge`].
    fn exception(&self, event: &ExceptionEvent) -> Tally;

    /// Returns the cycles of instruction `index` that have passed when its mark is observed. `sums`
    /// is the result of [`Processor::block`].
    fn cycles_before_retirement(&self, _sums: &[Tally], _index: usize) -> Tally {
        Tally::ZERO
    }

    /// Returns the block's reads of memory with wait states.
    fn fetches(&self, _block: &[Instruction]) -> Fetches {
        Fetches::default()
    }

    fn memory(&self) -> Option<MemorySystem> {
        None
    }

    /// Returns whether the cost of `instruction` depends on the address that it accesses.
    fn needs_address(&self, instruction: &Instruction) -> bool;

    /// Returns the cost of such an access where there is no [`MemorySystem`], or `None` if it has
    /// none.
    fn access(&self, _address: u32) -> Option<Tally> {
        None
    }

    /// Returns whether the cost of the same blocks may differ from one execution to the next.
    fn has_history(&self) -> bool;

    // --- Exceptions

    /// Returns the handlers that are known before execution. `table` is the plan's address of
    /// vectors.
    fn handlers(&self, image: &Image, table: u32) -> Result<Handlers, Error>;

    /// Returns the handlers that a block of code installs: address and exception of each.
    fn installs(&self, _image: &Image, _start: u32, _code: &[u8]) -> Vec<(u32, u16)> {
        Vec::new()
    }

    /// Guesses the exception of an unknown handler that was entered after an instruction with
    /// `flow`.
    fn guess(&self, image: &Image, address: u32, flow: Flow) -> u16;

    /// Chooses among the exceptions that share a handler the one taken after `from`. `stopped` is
    /// true if `from` certainly did not complete.
    fn choose(&self, exceptions: &[u16], from: &Instruction, stopped: bool) -> Option<u16>;

    /// Returns whether the exception is a fault, entered by an instruction that does not complete.
    fn is_fault(&self, exception: u16) -> bool;

    /// Returns the lane that counts entries of the exception.
    fn lane(&self, exception: u16) -> usize;

    /// Returns the name of the exception if it is not that of its handler.
    fn name(&self, _exception: u16) -> Option<&'static str> {
        None
    }

    /// Returns the kind of jump of the block's last instruction, if its flow does not determine it.
    fn jump(&self, _block: &[Instruction], _code: &[u8], _image: &Image) -> Option<Jump> {
        None
    }

    /// Follows a transition that the code explains.
    fn follow(&self, _stack: &mut ExceptionStack, _from: &Instruction, _to: u32) {}

    /// Applies a transition that the code does not explain, and returns its effect.
    fn apply(&self, stack: &mut ExceptionStack, transition: &Transition) -> ExceptionChange;

    /// Returns whether another fault would lock up the processor.
    fn may_lock_up(&self, _stack: &ExceptionStack) -> bool {
        false
    }
}

/// Returns the processor that the image is built for, with the cycle model that the plan requests.
pub(crate) fn for_plan(plan: &Plan, image: &Image) -> Result<Box<dyn Processor>, Error> {
    let profile = plan.model.as_ref().map(|modelling| &modelling.profile);
    match image.isa {
        Isa::Armv7M => armv7m::Armv7M::new(&plan.core, profile).map(boxed),
        Isa::Rv32 => rv32::Rv32::new(&plan.core, profile).map(boxed),
    }
    .map_err(|e| Error::new(e.to_string()))
}

fn boxed(processor: impl Processor + 'static) -> Box<dyn Processor> {
    Box::new(processor)
}
