// SPDX-License-Identifier: MIT
//! Branches: one cycle, and the refill P if they are taken.

use crate::program::{assert_along, assert_straight};
use ticklab_armv7m::Core::{CortexM3, CortexM4};

#[test]
fn branches_issued_in_decode() {
    // 1 + P, P from 1 to 2; and the cycle of the NOP at the target.
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
            // A call of the next instruction is a branch all the same.
            ("bl 1f; 1: nop", &[0, 1], 3, 4),
        ],
    );
}

#[test]
fn branches_issued_in_execute() {
    // 1 + P, P from 2 to 3; and the NOP.
    assert_along(
        CortexM3,
        &[
            ("bx r0; nop; nop", &[0, 2], 4, 5),
            ("blx r0; nop; nop", &[0, 2], 4, 5),
            ("mov pc, r0; nop; nop", &[0, 2], 4, 5),
            ("add pc, r0; nop; nop", &[0, 2], 4, 5),
            ("cbz r0, 1f; nop; 1: nop", &[0, 2], 4, 5),
            // 1 to write LR, which the branch has to wait for.
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
            // 2 + P, and the NOP. The manual: at least five without it.
            ("ldr pc, [r0]; nop; nop", &[0, 2], 5, 6),
            // Two for the load, one to add, P, and the NOP. The manual: at least six without it.
            ("tbb [r0, r1]; nop; nop", &[0, 2], 6, 7),
        ],
    );
}

#[test]
fn a_target_across_two_words_may_wait() {
    assert_along(
        CortexM4,
        &[
            // 1 + P + 1, perhaps one more: the MOV.W is at 2.
            ("b 1f; 1: mov.w r0, r1", &[0, 1], 3, 5),
            ("b 1f; nop; 1: mov.w r0, r1", &[0, 2], 3, 4),
            // P is 3 at most, and an issue in execute may be that already.
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
