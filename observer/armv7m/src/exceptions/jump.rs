// SPDX-License-Identifier: MIT
//! Classifies the computed jump at the end of a block, as far as its code determines it.
//!
//! On Armv7-M the same instructions return from functions, call through pointers and return from
//! exceptions. The value loaded into PC determines the effect (DDI 0403E, B1.5.8). The code of a
//! block does not show the value, but usually shows where it comes from.

use crate::{decode_block, register};
use ticklab_image::Image;
use ticklab_isa::{Class, Flow, Instruction};
use ticklab_processor::Jump;

/// EXC_RETURN values begin with 0xF (DDI 0403E, B1.5.8).
const EXC_RETURN: u32 = 0xF000_0000;

/// How many bytes of code before a jump are searched for the instruction that loads the jump's
/// register.
const REACH: u32 = 40;

/// Returns the kind of jump that ends `block`, whose bytes are `code`.
#[must_use]
pub fn at_the_end(block: &[Instruction], code: &[u8], image: &Image) -> Option<Jump> {
    let (last, before) = block.split_last()?;
    if last.flow != Flow::Return {
        return None;
    }
    Some(match last.class {
        Class::Branch if last.sources.contains(register::LR) => Jump::Return,
        Class::Branch => through_register(last, before, code, image),
        Class::Load if !last.base.contains(register::SP) => loaded(last, image),
        _ => Jump::Return,
    })
}

/// Classifies BX to a register other than LR by the instruction that wrote the register.
fn through_register(
    last: &Instruction,
    before: &[Instruction],
    code: &[u8],
    image: &Image,
) -> Jump {
    let writer = before
        .iter()
        .rev()
        .find(|i| i.results.intersects(last.sources));
    match writer {
        Some(writer) if is_mvn_immediate(writer, before, code) => Jump::ExceptionReturn,
        Some(writer) if writer.class == Class::Load => loaded(writer, image),
        _ if restores_a_task(last, image) => Jump::ExceptionReturn,
        _ => Jump::Pointer,
    }
}

/// Returns whether the straight-line code before `jump` loads its register with others, and then
/// sets PSP, as a handler does that restores a task with its EXC_RETURN. The block of the jump may
/// begin later: QEMU ends a block after MSR.
fn restores_a_task(jump: &Instruction, image: &Image) -> bool {
    (4..=REACH).step_by(2).any(|distance| {
        let start = jump.address.wrapping_sub(distance);
        let code = image.bytes(start, distance as usize).unwrap_or_default();
        let block = decode_block(start, code);
        let Some((load, after)) = block.split_first() else {
            return false;
        };
        let is_straight = after.last().is_some_and(|last| last.end() == jump.address)
            && block.iter().all(|each| each.flow == Flow::Next);
        let is_loaded = load.class == Class::LoadMultiple
            && load.results.intersects(jump.sources)
            && !after
                .iter()
                .any(|each| each.results.intersects(jump.sources));
        is_straight
            && is_loaded
            && after
                .iter()
                .any(|each| sets_process_stack(each, start, code))
    })
}

/// Returns whether the instruction is MSR PSP (DDI 0403E, B5.2.3).
fn sets_process_stack(instruction: &Instruction, start: u32, code: &[u8]) -> bool {
    let offset = (instruction.address - start) as usize;
    matches!(code[offset..], [register, 0xF3, 9, 0x88, ..] if register & 0xF0 == 0x80)
}

fn loaded(load: &Instruction, image: &Image) -> Jump {
    match load.literal.and_then(|address| image.word(address)) {
        Some(value) if value >= EXC_RETURN => Jump::ExceptionReturn,
        _ => Jump::Pointer,
    }
}

/// Returns whether the instruction is MVN with an immediate, encoding T1 (DDI 0403E, A7.7.85),
/// which assemblers emit for `mov r0, #0xFFFFFFFD`.
fn is_mvn_immediate(writer: &Instruction, block: &[Instruction], code: &[u8]) -> bool {
    let offset = (writer.address - block[0].address) as usize;
    let first = u16::from_le_bytes([code[offset], code[offset + 1]]);
    first & 0xFBEF == 0xF06F
}
