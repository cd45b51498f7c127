// SPDX-License-Identifier: MIT
//! Tests the instructions that the Cortex-M7 and M33 have beyond Armv7E-M with FPv4. GNU as 2.40
//! made the encodings from the text in the comments.

use ticklab_armv7m::SETS;
use ticklab_isa::{Class, Flow, Instruction, Register, Registers};
use ticklab_processor::{CodeState, InstructionSet};

fn set(core: &str) -> &'static dyn InstructionSet {
    let lists = |set: &&dyn InstructionSet| set.cores().iter().any(|known| known.name == core);
    SETS.into_iter().find(lists).unwrap()
}

fn decode(core: &str, encoding: u32) -> Instruction {
    let (first, second) = ((encoding >> 16) as u16, encoding as u16);
    let code = [first.to_le_bytes(), second.to_le_bytes()].concat();
    set(core).decode(0x100, &code, 0, CodeState::default())[0]
}

fn registers(numbers: &[u8]) -> Registers {
    let all = numbers
        .iter()
        .map(|&number| Registers::from(Register(number)));
    all.fold(Registers::NONE, |sum, one| sum | one)
}

#[test]
fn acquire_and_release_access_one_register() {
    for (encoding, class, reads, writes, results) in [
        (0xE8D1_0FAF, Class::Load, 1, 0, &[0][..]), // lda r0, [r1]
        (0xE8D1_0F8F, Class::Load, 1, 0, &[0]),     // ldab r0, [r1]
        (0xE8D1_0F9F, Class::Load, 1, 0, &[0]),     // ldah r0, [r1]
        (0xE8D1_0FEF, Class::Load, 1, 0, &[0]),     // ldaex r0, [r1]
        (0xE8C1_0FAF, Class::Store, 0, 1, &[]),     // stl r0, [r1]
        (0xE8C1_0F8F, Class::Store, 0, 1, &[]),     // stlb r0, [r1]
        (0xE8C1_0FE2, Class::StoreExclusive, 0, 1, &[2]), // stlex r2, r0, [r1]
        (0xE8C1_0FD2, Class::StoreExclusive, 0, 1, &[2]), // stlexh r2, r0, [r1]
    ] {
        let decoded = decode("cortex-m33", encoding);
        let counts = (decoded.class, decoded.reads, decoded.writes);
        assert_eq!(counts, (class, reads, writes), "{encoding:#x}");
        assert_eq!(decoded.results, registers(results), "{encoding:#x}");
        assert_eq!(decoded.base, registers(&[1]), "{encoding:#x}");
        assert_eq!(
            decode("cortex-m4", encoding).flow,
            Flow::Undefined,
            "{encoding:#x}"
        );
    }
}

#[test]
fn instructions_of_the_security_extension_access_no_memory() {
    for (encoding, results) in [
        (0xE97F_E97F, &[][..]), // sg
        (0xE841_F000, &[0]),    // tt r0, r1
        (0xE843_F2C0, &[2]),    // ttat r2, r3
        (0xEC30_0A00, &[]),     // vlldm r0
        (0xEC20_0A00, &[]),     // vlstm r0
        (0xF380_880A, &[]),     // msr msplim, r0
        (0xF3EF_800B, &[0]),    // mrs r0, psplim
    ] {
        let decoded = decode("cortex-m33", encoding);
        assert_eq!((decoded.reads, decoded.writes), (0, 0), "{encoding:#x}");
        assert_eq!(decoded.flow, Flow::Next, "{encoding:#x}");
        assert_eq!(decoded.results, registers(results), "{encoding:#x}");
    }
    let jump = |half: u16| {
        set("cortex-m33").decode(0, &half.to_le_bytes(), 0, CodeState::default())[0].flow
    };
    assert_eq!(jump(0x4774), Flow::Return); // bxns lr
    assert_eq!(jump(0x47A4), Flow::IndirectCall); // blxns r4
}

/// At address 0x100.
#[test]
fn loops_of_armv8_1_branch_by_the_link_register() {
    for (encoding, flow, sources, results) in [
        (0xF044_E001, Flow::Next, &[4][..], &[14][..]), // dls lr, r4
        (0xF043_C00B, Flow::CondBranch { target: 0x118 }, &[3], &[14]), // wls lr, r3, 0x118
        (0xF043_C801, Flow::CondBranch { target: 0x106 }, &[3], &[14]), // wls lr, r3, 0x106
        (
            0xF00F_C00D,
            Flow::CondBranch { target: 0x0EC },
            &[14],
            &[14],
        ), // le lr, 0xec
        (0xF02F_C80D, Flow::Branch { target: 0x0EA }, &[], &[]), // le 0xea
    ] {
        let decoded = decode("cortex-m55f", encoding);
        assert_eq!(decoded.flow, flow, "{encoding:#x}");
        assert_eq!(decoded.sources, registers(sources), "{encoding:#x}");
        assert_eq!(decoded.results, registers(results), "{encoding:#x}");
        assert_eq!(decode("cortex-m33", encoding).flow, Flow::Undefined);
    }
}

#[test]
fn a_stack_limit_is_no_mask() {
    let set = set("cortex-m33");
    let effect = |encoding: u32| {
        let decoded = decode("cortex-m33", encoding);
        let halves = [(encoding >> 16) as u16, encoding as u16].map(u16::to_le_bytes);
        set.mask_effect(&decoded, &halves.concat(), CodeState::default(), &|_| None)
    };
    assert_eq!(effect(0xF380_880A), None); // msr msplim, r0
    assert_eq!(effect(0xF3EF_800B), None); // mrs r0, psplim
    assert!(effect(0xF380_8810).is_some()); // msr primask, r0
}

#[test]
fn a_write_to_sp_may_stop_a_block_only_where_stacks_have_limits() {
    // sub sp, #16
    let stops =
        |core| set(core).may_stop(&set(core).decode(0, &[0x84, 0xB0], 0, CodeState::default())[0]);
    assert!(stops("cortex-m33") && !stops("cortex-m4") && !stops("cortex-m7"));
}

#[test]
fn floats_of_fpv5() {
    let undefined = |core, encoding| decode(core, encoding).flow == Flow::Undefined;
    for encoding in [
        0xFE00_0A81, // vseleq.f32 s0, s1, s2
        0xFE80_0A81, // vmaxnm.f32 s0, s1, s2
        0xFEB8_0A60, // vrinta.f32 s0, s1
        0xEEB6_0AE0, // vrintz.f32 s0, s1
        0xFEBC_0AE0, // vcvta.s32.f32 s0, s1
    ] {
        for core in ["cortex-m7f", "cortex-m33"] {
            assert_eq!(
                decode(core, encoding).class,
                Class::Float,
                "{core} {encoding:#x}"
            );
        }
        assert!(undefined("cortex-m4f", encoding), "{encoding:#x}");
    }
    for (encoding, class) in [
        (0xEE31_0B02, Class::Float),                   // vadd.f64 d0, d1, d2
        (0xEEA1_0B02, Class::FloatMultiplyAccumulate), // vfma.f64 d0, d1, d2
        (0xEE81_0B02, Class::FloatDivide),             // vdiv.f64 d0, d1, d2
        (0xFE81_0B42, Class::Float),                   // vminnm.f64 d0, d1, d2
        (0xFEBC_0B41, Class::Float),                   // vcvta.u32.f64 s0, d1
        (0xEEB6_0B41, Class::Float),                   // vrintr.f64 d0, d1
    ] {
        assert_eq!(decode("cortex-m7f", encoding).class, class, "{encoding:#x}");
        assert!(undefined("cortex-m33", encoding), "{encoding:#x}");
    }
}
