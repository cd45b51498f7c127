// SPDX-License-Identifier: MIT
//! Tests the cost of instructions in IT blocks, which are executed or skipped, and of the IT
//! itself, which may be folded into the instruction before.

use crate::program::{assert_along, assert_straight, model, Program};
use ticklab_armv7m::Core::{CortexM3, CortexM4, CortexM4F};
use ticklab_isa::counted::{INSTRUCTIONS, READS, WRITES};

#[test]
fn an_it_may_be_folded_into_a_16_bit_instruction() {
    assert_straight(
        CortexM4,
        &[
            // 1 + (0 or 1) + 1.
            ("cmp r0, #0; it eq; moveq r0, r1", 2, 3),
            // 1 + 1 + 1: the CMP.W has 32 bits.
            ("cmp.w r0, #0; it eq; moveq r0, r1", 3, 3),
        ],
    );
}

#[test]
fn a_skipped_instruction_takes_a_cycle() {
    // CMP.W, IT, and one cycle for each skipped instruction.
    assert_straight(
        CortexM4F,
        &[
            ("cmp.w r0, #0; it eq; ldreq r0, [r1]", 3, 3),
            ("cmp.w r0, #0; it eq; vstmdbeq r0!, {s16-s31}", 3, 3),
            (
                "cmp.w r0, #0; ite eq; ldmeq r0, {r1, r2}; strne r0, [r1]",
                4,
                4,
            ),
            // Whether the instruction is skipped is unknown: 1 to 12, 1 to 15.
            ("cmp.w r0, #0; it eq; sdiveq r0, r1, r2", 3, 14),
            ("cmp.w r0, #0; it eq; vdiveq.f32 s0, s1, s2", 3, 17),
        ],
    );
    // 1 to 2 instead of 2.
    assert_straight(
        CortexM3,
        &[("cmp.w r0, #0; it eq; mlaeq r0, r1, r2, r3", 3, 4)],
    );
}

#[test]
fn a_conditional_access_that_happened() {
    let rows = [
        // CMP.W, IT, and 2, or 1 if the access overlaps with a preceding load.
        ("cmp.w r0, #0; it eq; ldreq r0, [r1]", 3, 4, 1, 0),
        ("cmp.w r0, #0; it eq; streq r0, [r1]", 3, 3, 0, 1),
        // CMP.W, IT, 1 + 16.
        (
            "cmp.w r0, #0; it eq; vstmdbeq r0!, {s16-s31}",
            19,
            19,
            0,
            16,
        ),
    ];
    let model = model(CortexM4F);
    for (source, low, high, reads, writes) in rows {
        let program = Program::new(source);
        assert_eq!(
            program.along(&model, &[0, 1, 2], &[2]),
            (low, high),
            "{source}"
        );
        let tally = program.tally(&model, &[0, 1, 2], &[2]);
        assert_eq!(
            (tally[INSTRUCTIONS], tally[READS], tally[WRITES]),
            (3, reads, writes)
        );
    }
}

#[test]
fn conditional_branches_in_a_block() {
    assert_along(
        CortexM4,
        &[
            // CMP.W, IT, 1, and the NOP after it.
            (
                "cmp.w r0, #0; it eq; bxeq lr; nop; nop",
                &[0, 1, 2, 3],
                4,
                4,
            ),
            // CMP.W, IT, 1 + P, and the NOP at the target.
            (
                "cmp.w r0, #0; it eq; bxeq lr; nop; nop",
                &[0, 1, 2, 4],
                5,
                6,
            ),
        ],
    );
}
