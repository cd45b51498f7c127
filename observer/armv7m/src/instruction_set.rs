// SPDX-License-Identifier: MIT
//! Armv7-M and Armv8-M: the cores, exceptions by the vector table, and exception returns by the
//! value of PC.

use crate::decode::may_fault;
use crate::exceptions::{jump, transitions, vectors};
use crate::{
    constants, decode_block_within, is_wide, masks, model, register, stack, Extensions, Model,
};
use ticklab_image::{Error, Image};
use ticklab_isa::{Class, Flow, Instruction, Profile, ProfileError, Register};
use ticklab_processor::{
    CodeState, Context, Core, CycleModel, ExceptionChange, ExceptionStack, Handlers,
    InstructionSet, Jump, MaskEffect, Preceding, Transition,
};

/// EM_ARM (ELF for the Arm Architecture, IHI 0044).
const MACHINE: u16 = 40;

/// All instruction sets of this crate. The first one is used for a core that no set lists.
pub const SETS: [&dyn InstructionSet; 4] = [&ARMV7M, &ARMV7M_FPV5, &ARMV8M, &ARMV81M];

/// One version of the M profile's instruction set, with the cores that execute it.
pub struct Armv7M {
    cores: &'static [Core],
    extensions: Extensions,
}

const ARMV7M: Armv7M = Armv7M {
    cores: &[
        modelled("cortex-m4f", true),
        modelled("cortex-m4", false),
        modelled("cortex-m3", false),
        counted("cortex-m0", false),
    ],
    extensions: Extensions {
        armv8: false,
        loops: false,
        fpv5: false,
        double: false,
    },
};

const ARMV7M_FPV5: Armv7M = Armv7M {
    cores: &[counted("cortex-m7f", true), counted("cortex-m7", false)],
    extensions: Extensions {
        armv8: false,
        loops: false,
        fpv5: true,
        double: true,
    },
};

const ARMV8M: Armv7M = Armv7M {
    cores: &[counted("cortex-m33f", true), counted("cortex-m33", false)],
    extensions: Extensions {
        armv8: true,
        loops: false,
        fpv5: true,
        double: false,
    },
};

const ARMV81M: Armv7M = Armv7M {
    cores: &[counted("cortex-m55f", true)],
    extensions: Extensions {
        armv8: true,
        loops: true,
        fpv5: true,
        double: true,
    },
};

const fn modelled(name: &'static str, has_fpu: bool) -> Core {
    Core {
        name,
        has_fpu,
        has_model: true,
    }
}

const fn counted(name: &'static str, has_fpu: bool) -> Core {
    Core {
        name,
        has_fpu,
        has_model: false,
    }
}

impl InstructionSet for Armv7M {
    fn machine(&self) -> u16 {
        MACHINE
    }

    fn cores(&self) -> &'static [Core] {
        self.cores
    }

    fn model(&self, core: &Core, profile: &Profile) -> Result<Box<dyn CycleModel>, ProfileError> {
        let model = Model::new(model::Core::named(core.name), profile)?;
        Ok(Box::new(model))
    }

    fn size(&self, first: [u8; 2], _state: CodeState) -> usize {
        if is_wide(u16::from_le_bytes(first).into()) {
            4
        } else {
            2
        }
    }

    fn decode(
        &self,
        start: u32,
        code: &[u8],
        it_remaining: u8,
        _state: CodeState,
    ) -> Vec<Instruction> {
        decode_block_within(start, code, it_remaining, self.extensions)
    }

    fn may_stop(&self, instruction: &Instruction) -> bool {
        instruction.accesses_memory()
            || instruction.class == Class::Divide
            || (self.extensions.armv8 && may_fault(instruction))
    }

    fn stored_constants(
        &self,
        block: &[Instruction],
        code: &[u8],
        image: &Image,
    ) -> Vec<(u32, u32)> {
        constants::stores(block, code, image)
    }

    fn stack_pointer(&self) -> Register {
        register::SP
    }

    fn stack_growth(&self, _instruction: &Instruction, bytes: &[u8], _state: CodeState) -> i32 {
        stack::growth(bytes)
    }

    fn frame_bytes(&self, is_float: bool) -> u32 {
        stack::frame_bytes(is_float)
    }

    fn context(&self, instruction: &Instruction, address: u32) -> Option<Context> {
        stack::context(instruction, address)
    }

    fn mask_effect(
        &self,
        instruction: &Instruction,
        bytes: &[u8],
        _state: CodeState,
        preceding: Preceding,
    ) -> Option<MaskEffect> {
        masks::effect(instruction, bytes, preceding)
    }

    fn handlers(&self, image: &Image, table: u32) -> Result<Handlers, Error> {
        vectors::read(image, table)
    }

    fn guess(&self, image: &Image, address: u32, flow: Flow) -> u16 {
        vectors::guess(image, address, flow)
    }

    fn kind(&self, exception: u16) -> Option<String> {
        Some(vectors::kind(exception))
    }

    fn choose(&self, exceptions: &[u16], from: &Instruction, stopped: bool) -> Option<u16> {
        vectors::choose(exceptions, from.flow, stopped)
    }

    fn is_fault(&self, exception: u16) -> bool {
        vectors::is_fault(exception)
    }

    fn is_interrupt(&self, exception: u16) -> bool {
        vectors::is_interrupt(exception)
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
