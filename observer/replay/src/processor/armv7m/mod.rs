// SPDX-License-Identifier: MIT
//! Cortex-M3 and Cortex-M4: exceptions by vector table, and returns from them by value.

mod jump;
mod steps;
mod vectors;

use super::{Change, Processor};
use crate::exceptions::{ExceptionStack, Jump, Passage, Step};
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

    /// Guests on these boards end by semihosting.
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

    fn leave(&self, from: &Instruction, to: &Instruction) -> Tally {
        self.model.edge(from, to)
    }

    fn exception(&self, change: &Change) -> Tally {
        self.model.exception(change.kind, change.frame)
    }

    fn fetches(&self, block: &[Instruction]) -> Fetches {
        self.model.fetches(block)
    }

    fn memory(&self) -> Option<MemorySystem> {
        self.model.memory()
    }

    /// Literals are known, and the stack is in no memory with wait states.
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

    fn unknown(&self, image: &Image, address: u32, flow: Flow) -> u16 {
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
        steps::follow(stack, from, to);
    }

    fn step(&self, stack: &mut ExceptionStack, step: &Step) -> Passage {
        steps::step(stack, step)
    }

    /// A fault in the HardFault handler does (DDI 0403E, B1.5.15).
    fn may_lock_up(&self, stack: &ExceptionStack) -> bool {
        stack.is_active(vectors::HARD_FAULT)
    }
}
