// SPDX-License-Identifier: MIT
//! Tests the cost of branches: one cycle, and the refill P of the pipeline (1 to 3 cycles) if they
//! are taken.

use crate::program::{assert_along, assert_straight};
use ticklab_armv7m::Core::{CortexM3, CortexM4};

#[test]
fn branches_issued_in_decode() {
    // 1 + P (P is 1 to 2), and 1 for the NOP at the target.
    assert_along(
        CortexM4,
        &[
            ("b 1f; nop; 1: nop", &[0, 2], 3, 4),
            ("b.w 1f; nop; 1: nop", &[0, 2], 3, 4),
            ("bl 1f; nop; 1: nop", &[0, 2], 3, 4),
            ("beq 1f; nop; 1: nop", &[0, 2], 3, 4),
            ("bx lr; nop; nop", &[0, 2], 3, 4),
            ("mov pc, lr; nop; nop", &[0, 2], 3, 4),
            ("blx lr; nop; nop", &[0, 2], 3, 4),
            // A call of the next instruction is a taken branch as well.
            ("bl 1f; 1: nop", &[0, 1], 3, 4),
        ],
    );
}

#[test]
fn branches_issued_in_execute() {
    // The branch takes 1 + P cycles (P is 2 to 3), and the NOP 1.
    assert_along(
        CortexM3,
        &[
            ("bx r0; nop; nop", &[0, 2], 4, 5),
            ("blx r0; nop; nop", &[0, 2], 4, 5),
            ("mov pc, r0; nop; nop", &[0, 2], 4, 5),
            ("add pc, r0; nop; nop", &[0, 2], 4, 5),
            ("cbz r0, 1f; nop; 1: nop", &[0, 2], 4, 5),
            // 1 for the write of LR, which the branch waits for.
            ("mov lr, r0; bx lr; nop; nop", &[0, 1, 3], 5, 6),
            ("mov lr, r0; nop; bx lr; nop; nop", &[0, 1, 2, 4], 5, 6),
        ],
    );
}

#[test]
fn branches_that_load_pc() {
    assert_along(
        CortexM4,
        &[
            // 1 + 2 registers + P, and the NOP.
            ("pop {r4, pc}; nop; nop", &[0, 2], 6, 7),
            ("ldm r0, {r1, pc}; nop; nop", &[0, 2], 6, 7),
            // 2 + P, and the NOP. The manual says at least five without the NOP.
            ("ldr pc, [r0]; nop; nop", &[0, 2], 5, 6),
            // 2 for the load, 1 for the addition, P, and the NOP. The manual says at least six
            // without the NOP.
            ("tbb [r0, r1]; nop; nop", &[0, 2], 6, 7),
        ],
    );
}

#[test]
fn a_target_across_two_words_may_wait() {
    assert_along(
        CortexM4,
        &[
            // 1 + P + 1, and possibly one more: the MOV.W is at address 2.
            ("b 1f; 1: mov.w r0, r1", &[0, 1], 3, 5),
            ("b 1f; nop; 1: mov.w r0, r1", &[0, 2], 3, 4),
            // P is at most 3, and a branch issued in execute may already take 3.
            ("bx r0; mov.w r0, r1", &[0, 1], 4, 5),
        ],
    );
}

#[test]
fn branches_not_taken() {
    assert_straight(
        CortexM4,
        &[
            ("beq 1f; nop; 1:", 2, 2),
            ("beq.w 1f; nop; 1:", 2, 2),
            ("cbz r0, 1f; nop; 1:", 2, 2),
        ],
    );
}
