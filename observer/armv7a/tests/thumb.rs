// SPDX-License-Identifier: MIT
//! Tests the instructions of T32 that only the A profile has. GNU objdump disassembled them.

use ticklab_armv7a::decode_thumb;
use ticklab_isa::{Class, Flow, Instruction};

/// Returns the instruction with these halfwords, at 0x1000.
fn decode(halves: &[u16]) -> Instruction {
    let code: Vec<u8> = halves.iter().flat_map(|half| half.to_le_bytes()).collect();
    let block = decode_thumb(0x1000, &code, 0);
    assert_eq!(block.len(), 1);
    block[0]
}

#[test]
fn returns_from_an_exception() {
    for halves in [
        [0xE9BD, 0xC000], // rfeia sp!
        [0xE810, 0xC000], // rfedb r0
        [0xF3DE, 0x8F04], // subs pc, lr, #4
        [0xF3DE, 0x8F00], // movs pc, lr
    ] {
        let decoded = decode(&halves);
        assert_eq!(decoded.flow, Flow::ExceptionReturn, "{halves:x?}");
    }
    assert_eq!(decode(&[0xE9BD, 0xC000]).reads, 2);
    assert_eq!(decode(&[0xE8BD, 0x8010]).flow, Flow::Return); // pop {r4, pc}
}

#[test]
fn only_lr_is_a_return() {
    assert_eq!(decode(&[0x4770]).flow, Flow::Return); // bx lr
    assert_eq!(decode(&[0x4718]).flow, Flow::IndirectBranch); // bx r3
}

#[test]
fn calls_of_arm_code() {
    // blx 0x1068 and blx 0xff00; the target is a multiple of 4.
    let call = |halves: &[u16]| decode(halves).flow;
    assert_eq!(call(&[0xF000, 0xE832]), Flow::Call { target: 0x1068 });
    assert_eq!(call(&[0xF7FF, 0xEFFE]), Flow::Call { target: 0x1000 });
}

#[test]
fn status_and_system_instructions() {
    for (halves, class) in [
        ([0xF3AF, 0x8640], Class::ChangeState),    // cpsid.w i
        ([0xF3EF, 0x8300], Class::StatusRegister), // mrs r3, CPSR
        ([0xF3FF, 0x8E00], Class::StatusRegister), // mrs lr, SPSR
        ([0xF383, 0x8100], Class::StatusRegister), // msr CPSR_c, r3
        ([0xEE0C, 0x0F10], Class::StatusRegister), // mcr 15, 0, r0, cr12, cr0, {0}
        ([0xE98D, 0xC013], Class::StoreMultiple),  // srsia sp, #19
        ([0xF3BF, 0x8F4F], Class::DataSynchronizationBarrier), // dsb sy
        ([0xF3AF, 0x8000], Class::Hint),           // nop.w
        ([0xEF00, 0x0840], Class::Float),          // vadd.i8 q0, q0, q0
    ] {
        assert_eq!(decode(&halves).class, class, "{halves:x?}");
    }
    assert_eq!(decode(&[0xE98D, 0xC013]).writes, 2);
    assert_eq!(decode(&[0xDFAB]).flow, Flow::Breakpoint); // svc 171: semihosting
    assert_eq!(decode(&[0xDF00]).flow, Flow::SupervisorCall);
}

#[test]
fn accesses_of_the_vector_unit() {
    assert_eq!(decode(&[0xF920, 0x0A8F]).reads, 4); // vld1.32 {d0-d1}, [r0]
    assert_eq!(decode(&[0xF900, 0x070F]).writes, 2); // vst1.8 {d0}, [r0]
    assert_eq!(decode(&[0xE8D0, 0x237F]).reads, 2); // ldrexd r2, r3, [r0]
    assert_eq!(decode(&[0xED2D, 0x8B10]).writes, 16); // vpush {d8-d15}
}
