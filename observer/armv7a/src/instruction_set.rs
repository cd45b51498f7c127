// SPDX-License-Identifier: MIT
//! Armv7-A as an instruction set of the replay core: its cores, and its states A32 and T32.

use crate::decode::{decode_arm, decode_thumb, field, word};
use crate::{exceptions, masks, register, stack};
use ticklab_image::{Error, Image};
use ticklab_isa::{Class, Flow, Instruction, Profile, ProfileError, Register};
use ticklab_processor::{
    CodeState, Context, Core, CycleModel, ExceptionChange, ExceptionStack, Fetched, Handlers,
    InstructionSet, MaskEffect, Preceding, Transition,
};

/// EM_ARM (ELF for the Arm Architecture, IHI 0044).
const MACHINE: u16 = 40;

pub const ARM: CodeState = CodeState(0);
pub const THUMB: CodeState = CodeState(1);

const CORES: [Core; 4] = [
    counted("cortex-a7"),
    counted("cortex-a9"),
    counted("cortex-a15"),
    counted("cortex-a15-linux"),
];

const fn counted(name: &'static str) -> Core {
    Core {
        name,
        has_fpu: true,
        has_model: false,
    }
}

/// All instruction sets of this crate.
pub const SETS: [&dyn InstructionSet; 1] = [&Armv7A];

pub struct Armv7A;

impl InstructionSet for Armv7A {
    fn machine(&self) -> u16 {
        MACHINE
    }

    fn cores(&self) -> &'static [Core] {
        &CORES
    }

    fn model(&self, core: &Core, _profile: &Profile) -> Result<Box<dyn CycleModel>, ProfileError> {
        let name = core.name;
        Err(ProfileError(format!("{name} has no cycle model")))
    }

    /// Chooses between A32 and T32. A block that has 16-bit instructions, or whose address is not a
    /// multiple of 4, is T32. Otherwise the image's mapping symbols decide, then the state of the
    /// code before the block, and last which decoder accepts the code.
    fn state(&self, fetched: &Fetched) -> CodeState {
        let is_narrow = fetched.instructions.iter().any(|code| code.len() == 2);
        if is_narrow || fetched.start % 4 != 0 {
            return THUMB;
        }
        let known = fetched.declared.or(fetched.known);
        known.unwrap_or_else(|| likely(fetched))
    }

    fn size(&self, [first, second]: [u8; 2], state: CodeState) -> usize {
        let half = u32::from(u16::from_le_bytes([first, second]));
        if state == THUMB && !ticklab_armv7m::is_wide(half) {
            2
        } else {
            4
        }
    }

    fn decode(
        &self,
        start: u32,
        code: &[u8],
        it_remaining: u8,
        state: CodeState,
    ) -> Vec<Instruction> {
        match state {
            THUMB => decode_thumb(start, code, it_remaining),
            _ => decode_arm(start, code),
        }
    }

    /// Accesses to system registers may trap; divisions do not.
    fn may_stop(&self, instruction: &Instruction) -> bool {
        instruction.accesses_memory() || instruction.class == Class::StatusRegister
    }

    fn stack_pointer(&self) -> Register {
        register::SP
    }

    fn stack_growth(&self, _instruction: &Instruction, bytes: &[u8], state: CodeState) -> i32 {
        match state {
            THUMB => ticklab_armv7m::stack_growth(bytes),
            _ => stack::growth(word(bytes)),
        }
    }

    /// On Armv7-A, the processor stacks nothing at an exception.
    fn frame_bytes(&self, _is_float: bool) -> u32 {
        0
    }

    fn context(&self, instruction: &Instruction, address: u32) -> Option<Context> {
        stack::context(instruction, address)
    }

    fn mask_effect(
        &self,
        instruction: &Instruction,
        bytes: &[u8],
        state: CodeState,
        preceding: Preceding,
    ) -> Option<MaskEffect> {
        match (state, bytes) {
            (THUMB, &[a, b]) => masks::thumb_effect(instruction, u16::from_le_bytes([a, b]).into()),
            (THUMB, _) => masks::thumb_effect(instruction, word(bytes) >> 16),
            _ => masks::effect(instruction, word(bytes), preceding),
        }
    }

    fn handlers(&self, _image: &Image, table: u32) -> Result<Handlers, Error> {
        Ok(exceptions::handlers(table))
    }

    fn installs(&self, image: &Image, start: u32, code: &[u8]) -> Vec<(u32, u16)> {
        let tables = vector_tables(image, start, code).into_iter();
        tables.flat_map(exceptions::entries).collect()
    }

    fn guess(&self, _image: &Image, address: u32, _flow: Flow) -> u16 {
        exceptions::guess(address)
    }

    fn choose(&self, exceptions: &[u16], _from: &Instruction, _stopped: bool) -> Option<u16> {
        exceptions.first().copied()
    }

    fn is_fault(&self, exception: u16) -> bool {
        exceptions::is_fault(exception)
    }

    fn stops(&self, exception: u16, from: &Instruction) -> bool {
        exceptions::stops(exception, from)
    }

    fn lane(&self, exception: u16) -> usize {
        exceptions::lane(exception)
    }

    fn interrupt_name(&self, interrupt: u16) -> Option<String> {
        exceptions::interrupt_name(interrupt)
    }

    fn name(&self, exception: u16) -> Option<&'static str> {
        exceptions::name(exception)
    }

    /// A store that requests an interrupt is followed by a barrier, because it must take effect
    /// before the next instruction.
    fn may_request(&self, block: &[Instruction], index: usize) -> bool {
        let after = block.get(index + 1).map(|after| after.class);
        let is_store = matches!(block[index].class, Class::Store | Class::StoreIndexed);
        is_store && after == Some(Class::DataSynchronizationBarrier)
    }

    fn is_request(&self, address: u32) -> bool {
        exceptions::is_request(address)
    }

    fn enter(
        &self,
        stack: &mut ExceptionStack,
        exception: u16,
        from: &Instruction,
        to: u32,
    ) -> ExceptionChange {
        exceptions::enter(stack, exception, from, to)
    }

    fn apply(&self, stack: &mut ExceptionStack, transition: &Transition) -> ExceptionChange {
        exceptions::apply(stack, transition)
    }
}

/// Returns the state in which all of the code decodes; A32 if it decodes in both states or in
/// neither.
fn likely(fetched: &Fetched) -> CodeState {
    let code: Vec<u8> = fetched.instructions.concat();
    let is_defined = |block: &[Instruction]| block.iter().all(|i| i.flow != Flow::Undefined);
    let is_arm = is_defined(&decode_arm(fetched.start, &code));
    match !is_arm && is_defined(&decode_thumb(fetched.start, &code, 0)) {
        true => THUMB,
        false => ARM,
    }
}

/// MCR p15, 0, Rt, c12, c0, 0, without the condition and Rt: writes VBAR (B4.1.156).
const WRITE_VBAR: u32 = 0x0E0C_0F10;

/// Returns the values that A32 code writes to VBAR, if they are literals of the image.
fn vector_tables(image: &Image, start: u32, code: &[u8]) -> Vec<u32> {
    let is_write = |code: &[u8]| word(code) & 0x0FFF_0FFF == WRITE_VBAR;
    if !code.chunks_exact(4).any(is_write) {
        return Vec::new();
    }
    let block = decode_arm(start, code);
    let value = |index: usize| {
        let register = Register(field(word(&code[4 * index..]), 12, 4) as u8);
        let writer = block[..index].iter().rev();
        let writer = writer.clone().find(|i| i.results.contains(register))?;
        image.word(writer.literal?)
    };
    let indices = (0..block.len()).filter(|&index| is_write(&code[4 * index..4 * index + 4]));
    indices.filter_map(value).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(start: u32, words: &[u32], known: Option<CodeState>) -> CodeState {
        let code: Vec<[u8; 4]> = words.iter().map(|word| word.to_le_bytes()).collect();
        Armv7A.state(&Fetched {
            start,
            instructions: code.iter().map(|code| &code[..]).collect(),
            declared: None,
            known,
        })
    }

    /// BL of T32 as a little-endian word, and BX LR of A32.
    const THUMB_CALL: u32 = 0xF82B_F000;
    const ARM_RETURN: u32 = 0xE12F_FF1E;

    #[test]
    fn the_state_follows_from_the_code() {
        assert_eq!(state(0x1002, &[THUMB_CALL], Some(ARM)), THUMB);
        assert_eq!(state(0x1000, &[THUMB_CALL], None), THUMB);
        assert_eq!(state(0x1000, &[ARM_RETURN], None), ARM);
        assert_eq!(state(0x1000, &[ARM_RETURN], Some(THUMB)), THUMB);
        let narrow = Fetched {
            start: 0x1000,
            instructions: vec![&[0x70, 0x47]],
            declared: Some(ARM),
            known: None,
        };
        assert_eq!(Armv7A.state(&narrow), THUMB);
    }

    #[test]
    fn only_a_store_before_a_barrier_may_request() {
        // STR R2, [R3]; DSB; STR R2, [R3]; ISB.
        let words = [0xE583_2000u32, 0xF57F_F04F, 0xE583_2000, 0xF57F_F06F];
        let code: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let block = decode_arm(0, &code);
        let requests: Vec<_> = (0..4).map(|i| Armv7A.may_request(&block, i)).collect();
        assert_eq!(requests, [true, false, false, false]);
    }
}
