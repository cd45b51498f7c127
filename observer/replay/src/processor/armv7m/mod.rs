// SPDX-License-Identifier: MIT
//! Cortex-M3 and Cortex-M4: exceptions by the vector table, and exception returns by the value of
//! PC.

mod jump;
mod transitions;
mod vectors;

use super::{ExceptionEvent, Processor};
use crate::exceptions::{ExceptionChange, ExceptionStack, Jump, Transition};
use crate::handlers::Handlers;
use crate::image::Image;
use crate::Error;
use ticklab_armv7m::{decode_block_within, is_wide, register, Fetches, MemorySystem, Model};
use ticklab_isa::{Flow, Instruction, Lane, Profile, ProfileError, Tally};

pub struct Armv7M {
    model: Model,
    has_memory: bool,
}

impl Armv7M {
    pub fn new(core: &str, profile: Option<&Profile>) -> Result<Armv7M, ProfileError> {
        let model = match profile {
            Some(profile) => Model::new(core.parse()?, profile)?,
            None => Model::counting(),
        };
        let has_memory = model.memory().is_some();
        Ok(Armv7M { model, has_memory })
    }
}

impl Processor for Armv7M {
    fn size(&self, first: [u8; 2]) -> usize {
        if is_wide(u16::from_le_bytes(first).into()) {
            4
        } else {
            2
        }
    }

    fn decode(&self, start: u32, code: &[u8], it_remaining: u8) -> Vec<Instruction> {
        decode_block_within(start, code, it_remaining)
    }

    /// Guests on these boards end the run by semihosting.
    fn stores(&self, _start: u32, _code: &[u8], _address: u32) -> Vec<usize> {
        Vec::new()
    }

    fn lanes(&self) -> &[Lane] {
        self.model.lanes()
    }

    fn block(&self, block: &[Instruction]) -> Vec<Tally> {
        self.model.block(block)
    }

    fn executed(&self, instruction: &Instruction) -> Tally {
        self.model.executed(instruction)
    }

    fn edge(&self, from: &Instruction, to: &Instruction) -> Tally {
        self.model.edge(from, to)
    }

    fn exception(&self, event: &ExceptionEvent) -> Tally {
        self.model.exception(event.kind, event.frame)
    }

    fn fetches(&self, block: &[Instruction]) -> Fetches {
        self.model.fetches(block)
    }

    fn memory(&self) -> Option<MemorySystem> {
        self.model.memory()
    }

    /// The addresses of literals are known, and no stack is in memory with wait states.
    fn needs_address(&self, instruction: &Instruction) -> bool {
        let is_known = instruction.literal.is_some() && !instruction.conditional;
        let is_stack = instruction.base.contains(register::SP);
        self.has_memory && instruction.reads > 0 && !is_known && !is_stack
    }

    fn has_history(&self) -> bool {
        self.has_memory
    }

    fn handlers(&self, image: &Image, table: u32) -> Result<Handlers, Error> {
        vectors::read(image, table)
    }

    fn guess(&self, image: &Image, address: u32, flow: Flow) -> u16 {
        vectors::guess(image, address, flow)
    }

    fn choose(&self, exceptions: &[u16], from: &Instruction, stopped: bool) -> Option<u16> {
        vectors::choose(exceptions, from.flow, stopped)
    }

    fn is_fault(&self, exception: u16) -> bool {
        vectors::is_fault(exception)
    }

    fn lane(&self, exception: u16) -> usize {
        vectors::lane(exception)
    }

    fn jump(&self, block: &[Instruction], code: &[u8], image: &Image) -> Option<Jump> {
        jump::at_the_end(block, code, image)
    }

    fn follow(&self, stack: &mut ExceptionStack, from: &Instruction, to: u32) {
        transitions::follow(stack, from, to);
    }

    fn apply(&self, stack: &mut ExceptionStack, transition: &Transition) -> ExceptionChange {
        transitions::apply(stack, transition)
    }

    /// A fault in the HardFault handler locks up the processor (DDI 0403E, B1.5.15).
    fn may_lock_up(&self, stack: &ExceptionStack) -> bool {
        stack.is_active(vectors::HARD_FAULT)
    }
}
