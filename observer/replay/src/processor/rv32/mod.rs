// SPDX-License-Identifier: MIT
//! RV32 with machine and user mode: traps by mtvec, and MRET as the only trap return.

mod traps;

use super::{ExceptionEvent, Processor};
use crate::exceptions::{ExceptionChange, ExceptionStack, Transition};
use crate::handlers::Handlers;
use crate::image::Image;
use crate::Error;
use ticklab_isa::{Flow, Instruction, Lane, Profile, ProfileError, Tally};
use ticklab_rv32::{decode_block, is_wide, Constants, Model};

pub struct Rv32 {
    model: Model,
}

impl Rv32 {
    pub fn new(core: &str, profile: Option<&Profile>) -> Result<Rv32, ProfileError> {
        let model = match profile {
            Some(profile) => Model::new(core, profile)?,
            None => Model::counting(),
        };
        Ok(Rv32 { model })
    }
}

impl Processor for Rv32 {
    fn size(&self, [first, _]: [u8; 2]) -> usize {
        if is_wide(first) {
            4
        } else {
            2
        }
    }

    fn decode(&self, start: u32, code: &[u8], _it_remaining: u8) -> Vec<Instruction> {
        decode_block(start, code)
    }

    fn stores(&self, start: u32, code: &[u8], address: u32) -> Vec<usize> {
        Constants::stores(start, code, address)
    }

    fn lanes(&self) -> &[Lane] {
        self.model.lanes()
    }

    fn block(&self, block: &[Instruction]) -> Vec<Tally> {
        self.model.block(block)
    }

    /// RV32 has no conditional instructions.
    fn executed(&self, _instruction: &Instruction) -> Tally {
        Tally::ZERO
    }

    fn edge(&self, from: &Instruction, to: &Instruction) -> Tally {
        self.model.edge(from, to)
    }

    fn exception(&self, event: &ExceptionEvent) -> Tally {
        let is_synchronous = traps::is_synchronous(event.exception);
        self.model
            .exception(event.kind, is_synchronous, event.from, event.to)
    }

    fn cycles_before_retirement(&self, sums: &[Tally], index: usize) -> Tally {
        self.model.cycles_before_retirement(sums, index)
    }

    fn needs_address(&self, instruction: &Instruction) -> bool {
        self.model.needs_address(instruction)
    }

    fn access(&self, address: u32) -> Option<Tally> {
        self.model.access(address)
    }

    fn has_history(&self) -> bool {
        self.model.has_devices()
    }

    /// There are none: mtvec is undefined until code writes it.
    fn handlers(&self, _image: &Image, table: u32) -> Result<Handlers, Error> {
        Ok(Handlers::new(table))
    }

    fn installs(&self, image: &Image, start: u32, code: &[u8]) -> Vec<(u32, u16)> {
        let vectors = Constants::trap_vectors(start, code);
        vectors
            .into_iter()
            .flat_map(|mtvec| traps::handlers(mtvec, |address| image.word(address)))
            .collect()
    }

    fn guess(&self, _image: &Image, _address: u32, flow: Flow) -> u16 {
        traps::guess(flow)
    }

    fn choose(&self, traps: &[u16], from: &Instruction, stopped: bool) -> Option<u16> {
        traps::choose(traps, from, stopped)
    }

    fn is_fault(&self, trap: u16) -> bool {
        traps::is_fault(trap)
    }

    fn lane(&self, trap: u16) -> usize {
        traps::lane(trap)
    }

    fn name(&self, trap: u16) -> Option<&'static str> {
        traps::name(trap)
    }

    fn apply(&self, stack: &mut ExceptionStack, transition: &Transition) -> ExceptionChange {
        traps::apply(stack, transition)
    }
}
