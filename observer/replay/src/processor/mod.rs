// SPDX-License-Identifier: MIT
//! What the replay core must know of the processor that it follows: how code decodes, what it costs
//! and how exceptions come and go.
//!
//! All else is the same for every instruction set, and each has one module here.

mod armv7m;
mod rv32;

use crate::exceptions::{ExceptionStack, Jump, Passage, Step};
use crate::handlers::Handlers;
use crate::image::{Image, Isa};
use crate::plan::Plan;
use crate::Error;
use ticklab_armv7m::{Fetches, MemorySystem};
use ticklab_isa::{Exception, Flow, Frame, Instruction, Lane, Tally};

/// One change of exceptions.
pub(crate) struct Change<'a> {
    pub kind: Exception,
    /// The one that is entered or left.
    pub exception: u16,
    pub frame: Frame,
    /// The last instruction in front of it, or the one that faulted.
    pub from: &'a Instruction,
    pub to: &'a Instruction,
}

pub(crate) trait Processor {
    // --- Code

    /// Bytes of the instruction that begins with this halfword.
    fn size(&self, first: [u8; 2]) -> usize;

    /// Decodes a block of which `it_remaining` instructions belong to an IT block before it.
    fn decode(&self, start: u32, code: &[u8], it_remaining: u8) -> Vec<Instruction>;

    /// Which instructions of a block store to `address`, whatever registers hold in front of it.
    fn stores(&self, start: u32, code: &[u8], address: u32) -> Vec<usize>;

    // --- Cycles, as of the cycle model

    fn lanes(&self) -> &[Lane];

    /// Sums over the block's first 0, 1, 2 … instructions.
    fn block(&self, block: &[Instruction]) -> Vec<Tally>;

    /// What a conditional access adds because it was made.
    fn executed(&self, instruction: &Instruction) -> Tally;

    /// What the way from one block to the next adds.
    fn leave(&self, from: &Instruction, to: &Instruction) -> Tally;

    /// What a change of exceptions adds, in place of the way.
    fn exception(&self, change: &Change) -> Tally;

    /// What of instruction `index` has passed already when a mark at it is seen. `sums` as of
    /// [`Processor::block`].
    fn waited(&self, _sums: &[Tally], _index: usize) -> Tally {
        Tally::ZERO
    }

    /// What a block reads from memory with wait states.
    fn fetches(&self, _block: &[Instruction]) -> Fetches {
        Fetches::default()
    }

    fn memory(&self) -> Option<MemorySystem> {
        None
    }

    /// Whether what `instruction` costs depends on the address that it accesses.
    fn needs_address(&self, instruction: &Instruction) -> bool;

    /// What such an access adds, where there is no [`MemorySystem`] to say it; none if nothing.
    fn access(&self, _address: u32) -> Option<Tally> {
        None
    }

    /// Whether the same way may cost more or less another time.
    fn has_history(&self) -> bool;

    // --- Exceptions

    /// Handlers that are known before anything runs; `table` is the plan's address of vectors.
    fn handlers(&self, image: &Image, table: u32) -> Result<Handlers, Error>;

    /// Handlers that a block of code installs: address and exception of each.
    fn installs(&self, _image: &Image, _start: u32, _code: &[u8]) -> Vec<(u32, u16)> {
        Vec::new()
    }

    /// The exception of a handler that nobody has installed, entered behind an instruction with
    /// `flow`.
    fn unknown(&self, image: &Image, address: u32, flow: Flow) -> u16;

    /// Of the exceptions that share a handler, the one taken behind `from`, which has `stopped` if
    /// it did not complete for certain.
    fn choose(&self, exceptions: &[u16], from: &Instruction, stopped: bool) -> Option<u16>;

    /// Whether an instruction that does not complete enters it.
    fn is_fault(&self, exception: u16) -> bool;

    /// The lane in which its entries are counted.
    fn lane(&self, exception: u16) -> usize;

    /// What the exception is called, where its handlers' names do not say it.
    fn name(&self, _exception: u16) -> Option<&'static str> {
        None
    }

    /// How the block's last instruction jumps, where its flow does not say it all.
    fn jump(&self, _block: &[Instruction], _code: &[u8], _image: &Image) -> Option<Jump> {
        None
    }

    /// A plain step, where code leads.
    fn follow(&self, _stack: &mut ExceptionStack, _from: &Instruction, _to: u32) {}

    /// A step that only execution shows.
    fn step(&self, stack: &mut ExceptionStack, step: &Step) -> Passage;

    /// Whether another fault would lock the processor up.
    fn may_lock_up(&self, _stack: &ExceptionStack) -> bool {
        false
    }
}

/// The processor that the image is built for, with the cycle model that the plan asks for.
pub(crate) fn of(plan: &Plan, image: &Image) -> Result<Box<dyn Processor>, Error> {
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
