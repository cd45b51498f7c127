// SPDX-License-Identifier: MIT
//! RV32 with machine and user mode: traps by mtvec, and MRET as the only trap return.

use crate::register::{S11, SP};
use crate::{decode_block, effects, is_wide, traps, Constants, Cv32e40s, Ibex};
use ticklab_image::{Error, Image};
use ticklab_isa::{Class, Flow, Instruction, Profile, ProfileError, Register};
use ticklab_processor::{
    CodeState, Context, Core, CycleModel, ExceptionChange, ExceptionStack, Handlers,
    InstructionSet, MaskEffect, Moves, Preceding, Transition,
};

/// EM_RISCV (RISC-V ELF psABI).
const MACHINE: u16 = 243;

const CV32E40S: &str = "cv32e40s";
const CORES: [Core; 2] = [core("ibex"), core(CV32E40S)];

const fn core(name: &'static str) -> Core {
    Core {
        name,
        has_fpu: false,
        has_model: true,
    }
}

/// All instruction sets of this crate.
pub const SETS: [&dyn InstructionSet; 1] = [&Rv32];

pub struct Rv32;

impl InstructionSet for Rv32 {
    fn machine(&self) -> u16 {
        MACHINE
    }

    fn cores(&self) -> &'static [Core] {
        &CORES
    }

    fn model(&self, core: &Core, profile: &Profile) -> Result<Box<dyn CycleModel>, ProfileError> {
        Ok(match core.name {
            CV32E40S => Box::new(Cv32e40s::new(profile)?),
            _ => Box::new(Ibex::new(profile)?),
        })
    }

    fn size(&self, [first, _]: [u8; 2], _state: CodeState) -> usize {
        if is_wide(first) {
            4
        } else {
            2
        }
    }

    fn decode(
        &self,
        start: u32,
        code: &[u8],
        _it_remaining: u8,
        _state: CodeState,
    ) -> Vec<Instruction> {
        decode_block(start, code)
    }

    fn stores(&self, start: u32, code: &[u8], address: u32) -> Vec<usize> {
        Constants::stores(start, code, address)
    }

    /// QEMU leaves a block after WFI, even if the block has more code.
    fn may_stop(&self, instruction: &Instruction) -> bool {
        instruction.accesses_memory()
            || instruction.class == Class::Divide
            || instruction.flow == Flow::Wait
    }

    fn stack_pointer(&self) -> Register {
        SP
    }

    fn stack_growth(&self, _instruction: &Instruction, bytes: &[u8], _state: CodeState) -> i32 {
        effects::stack_growth(bytes)
    }

    /// On RISC-V, the processor stacks nothing at a trap.
    fn frame_bytes(&self, _is_float: bool) -> u32 {
        0
    }

    /// Registers are moved one by one, and the last callee-saved register, s11, represents all of
    /// them. A kernel function that saves s11 for itself restores it from the same address, which
    /// is no switch.
    fn context(&self, instruction: &Instruction, address: u32) -> Option<Context> {
        let (is_save, register) = match instruction.class {
            Class::Store => (true, instruction.sources),
            Class::Load => (false, instruction.results),
            _ => return None,
        };
        let is_stack_pointer = register.contains(SP) && !instruction.base.contains(SP);
        (is_stack_pointer || register.contains(S11)).then_some(Context {
            is_save,
            slot: address,
            moves: if is_stack_pointer {
                Moves::StackPointer
            } else {
                Moves::CalleeSaved
            },
        })
    }

    fn mask_effect(
        &self,
        _instruction: &Instruction,
        bytes: &[u8],
        _state: CodeState,
        _preceding: Preceding,
    ) -> Option<MaskEffect> {
        effects::masking(bytes)
    }

    /// No handler is known before execution, because mtvec is undefined until code writes it.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_switch_moves_the_last_callee_saved_register() {
        let context_of = |word: u32| Rv32.context(&decode_block(0, &word.to_le_bytes())[0], 8);
        let context = |is_save, moves| {
            Some(Context {
                is_save,
                slot: 8,
                moves,
            })
        };
        assert_eq!(context_of(0x05B1_2223), context(true, Moves::CalleeSaved)); // sw s11, 68(sp)
        assert_eq!(context_of(0x0441_2D83), context(false, Moves::CalleeSaved)); // lw s11, 68(sp)
        assert_eq!(context_of(0x0425_2223), context(true, Moves::StackPointer)); // sw sp, 68(a0)
        assert_eq!(context_of(0x0445_2103), context(false, Moves::StackPointer)); // lw sp, 68(a0)
        assert_eq!(context_of(0x0441_2103), None); // lw sp, 68(sp)
        assert_eq!(context_of(0x05A1_2223), None); // sw s10, 68(sp)
    }
}
