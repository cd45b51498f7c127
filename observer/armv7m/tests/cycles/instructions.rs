// SPDX-License-Identifier: MIT
//! Tests the cost of instructions that neither branch nor access memory.

use crate::program::assert_straight;
use ticklab_armv7m::Core::{CortexM3, CortexM4, CortexM4F};

#[test]
fn data_processing_takes_a_cycle() {
    assert_straight(
        CortexM4,
        &[
            ("movs r0, #1", 1, 1),
            (
                "adds r0, r0, r1; lsls r2, r0, #3; eor.w r3, r2, r0, ror #7",
                3,
                3,
            ),
            (
                "bfi r0, r1, #4, #8; ubfx r2, r0, #1, #3; clz r3, r2; rev r4, r3",
                4,
                4,
            ),
            (
                "ssat r0, #8, r1; qadd r0, r1, r2; sadd16 r0, r1, r2; movw r0, #4660",
                4,
                4,
            ),
            ("nop; sev; yield; clrex; pld [r0]", 5, 5),
        ],
    );
}

#[test]
fn multiplications_take_one_cycle_on_the_m4_only() {
    let products = "mul r0, r1, r2; mla r0, r1, r2, r3; umull r0, r1, r2, r3; smlal r0, r1, r2, r3";
    assert_straight(CortexM4, &[(products, 4, 4)]);
    // 1; 2; 3 to 5; 4 to 7.
    assert_straight(CortexM3, &[(products, 10, 15)]);
}

#[test]
fn divisions_terminate_early() {
    // 2 to 12.
    assert_straight(
        CortexM4,
        &[("sdiv r0, r1, r2", 2, 12), ("udiv r0, r1, r2; nop", 3, 13)],
    );
    assert_straight(CortexM3, &[("udiv r0, r1, r2", 2, 12)]);
}

#[test]
fn special_registers_take_one_or_two() {
    assert_straight(
        CortexM4,
        &[
            ("cpsid i", 1, 2),
            ("mrs r0, basepri", 1, 2),
            ("msr basepri, r0; cpsie i", 2, 4),
        ],
    );
}

#[test]
fn barriers_wait_up_to_three_cycles() {
    // DSB, DMB: 1 + B (B is 0 to 3). ISB: 1 + P (P is 2 to 3, because its target is issued in
    // execute).
    assert_straight(
        CortexM4,
        &[
            ("dsb", 1, 4),
            ("dmb", 1, 4),
            ("isb", 3, 4),
            ("dsb; isb", 4, 8),
        ],
    );
}

#[test]
fn floating_point() {
    assert_straight(
        CortexM4F,
        &[
            // One more cycle if the next instruction consumes the result.
            ("vadd.f32 s0, s1, s2", 1, 2),
            ("vcmp.f32 s0, s1; vmrs APSR_nzcv, fpscr", 2, 3),
            ("vmla.f32 s0, s1, s2", 3, 4),
            ("vfma.f32 s0, s1, s2", 3, 4),
            // 14 and one more, or one if no floating-point instruction follows.
            ("vdiv.f32 s0, s1, s2", 1, 15),
            ("vsqrt.f32 s3, s4; nop", 2, 16),
            ("vmov.f32 s3, s4; vmov.f32 s5, #1.0; vmsr fpscr, r0", 3, 3),
            // Two by the manual, one as measured.
            ("vmov s0, r0; vmov r1, s2", 2, 4),
            ("vmov s0, s1, r0, r1", 2, 2),
        ],
    );
}

#[test]
fn neighbouring_instructions_across_two_words_wait_once() {
    // After the NOP at 0, each MOV.W lies across two words.
    assert_straight(
        CortexM4,
        &[
            ("nop; mov.w r0, r1; mov.w r0, r1", 3, 3),
            ("nop; mov.w r0, r1; mov.w r0, r1; mov.w r0, r1", 4, 5),
            (
                "nop; mov.w r0, r1; mov.w r0, r1; mov.w r0, r1; mov.w r0, r1",
                5,
                6,
            ),
            (
                "mov.w r0, r1; mov.w r0, r1; mov.w r0, r1; mov.w r0, r1",
                4,
                4,
            ),
        ],
    );
}
