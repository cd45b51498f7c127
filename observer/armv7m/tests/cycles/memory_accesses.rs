// SPDX-License-Identifier: MIT
//! Tests the costs of loads and stores, and their overlap with neighbouring instructions.

use crate::program::{assert_straight, interval, model, Program};
use ticklab_armv7m::Core::{CortexM3, CortexM4, CortexM4F};
use ticklab_isa::counted::{READS, WRITES};

#[test]
fn single_accesses() {
    assert_straight(
        CortexM4,
        &[
            ("ldr r0, [r1]", 2, 2),
            ("ldrb r0, [r1, r2]", 2, 2),
            // A store with an immediate offset writes its data during the next instruction.
            ("str r0, [r1, #4]", 1, 1),
            ("str r0, [r1, r2]", 2, 2),
            ("ldrex r0, [r1]", 2, 2),
            ("strex r0, r1, [r2]", 2, 2),
        ],
    );
}

#[test]
fn a_load_hides_a_cycle_of_the_next_access() {
    assert_straight(
        CortexM4,
        &[
            // 2 + 1, or 2 + 2 if they do not overlap. The manual: "normally three cycles total".
            ("ldr r0, [r1]; ldr r2, [r3]", 3, 4),
            ("ldr r0, [r1, r2]; str r1, [r3, r2]", 3, 4),
            // 2 + 1: the store takes one cycle in any case.
            ("ldr r0, [r1, r2]; str r0, [r3, #20]", 3, 3),
            // 2 + 1 + 1; each of the last two possibly takes one more. The manual: "normally four
            // cycles".
            ("ldr r0, [r1, r5]; ldr r1, [r2]; ldr r2, [r3, #4]", 4, 6),
            // The address is the first load's result: 2 + 2.
            ("ldr r0, [r1]; ldr r2, [r0]", 4, 4),
            // Nothing is pipelined after a store: 1 + 2, 2 + 2.
            ("str r0, [r1]; ldr r2, [r3]", 3, 3),
            ("str r0, [r1, r2]; ldr r2, [r3]", 4, 4),
            // Exclusive accesses are pipelined like loads.
            ("ldrex r0, [r1]; ldr r2, [r3]", 3, 4),
            ("strex r0, r1, [r2]; ldr r3, [r4]", 3, 4),
        ],
    );
}

#[test]
fn an_address_may_wait_for_the_preceding_result() {
    assert_straight(
        CortexM4,
        &[
            // 1 + 2, and possibly one more.
            ("adds r1, r1, #4; ldr r0, [r1]", 3, 4),
            ("adds r1, r1, #4; str r0, [r1]", 2, 3),
            ("mul r1, r2, r3; push {r1}", 3, 3),
            ("sub sp, #8; push {r1}", 3, 4),
            // The result is the data, not the address.
            ("adds r0, r0, #4; str r0, [r1]", 2, 2),
            ("adds r1, r1, #4; nop; ldr r0, [r1]", 4, 4),
        ],
    );
}

#[test]
fn literals_may_wait_for_the_fetch_unit() {
    // 2, and possibly one more.
    assert_straight(
        CortexM3,
        &[("ldr r0, [pc, #4]", 2, 3), ("ldr.w r0, [pc, #4]", 2, 3)],
    );
}

#[test]
fn multiple_accesses_take_one_cycle_more_than_their_registers() {
    assert_straight(
        CortexM4F,
        &[
            ("ldm r0, {r1, r2, r3}", 4, 4),
            ("stm r0!, {r1, r2}", 3, 3),
            ("push {r4, r5, lr}", 4, 4),
            ("pop {r4}", 2, 2),
            ("stmdb r0!, {r4-r11, lr}", 10, 10),
            ("ldrd r0, r1, [r2]", 3, 3),
            ("strd r0, r1, [r2]", 3, 3),
            // Not pipelined with the preceding instruction: 2 + 3.
            ("ldr r0, [r1]; ldm r2, {r3, r4}", 5, 5),
            ("ldm r2, {r3, r4}; ldr r0, [r1]", 5, 5),
            ("vldr s0, [r0]", 2, 2),
            ("vldr d0, [r0]", 3, 3),
            ("vstr s0, [r0]", 2, 2),
            ("vpush {s16-s31}", 17, 17),
            ("vldmia r0!, {d8-d15}", 17, 17),
        ],
    );
}

#[test]
fn accesses_are_counted_by_register() {
    let program = Program::new("ldrd r0, r1, [r2]; push {r4, lr}; vpop {d8}; tbb [r0, r1]");
    let order: Vec<usize> = (0..program.instructions.len()).collect();
    let tally = program.tally(&model(CortexM4F), &order, &[]);
    assert_eq!((tally[READS], tally[WRITES]), (2 + 2 + 1, 2));
}

#[test]
fn the_division_into_blocks_does_not_change_the_tally() {
    let program = Program::new(
        "ldr r0, [r1]; ldr r2, [r3]; adds r3, #4; str r2, [r3]; mov.w r4, r5; it eq; moveq r0, r1;
         ldr r6, [r7]; strex r0, r1, [r6]; ldr r5, [r4, r2]; nop; it ne; movne r1, r2",
    );
    let model = model(CortexM4);
    let order: Vec<usize> = (0..program.instructions.len()).collect();
    let whole = program.in_blocks(&model, &[&order], &[]);
    for cut in 1..order.len() {
        let (front, back) = order.split_at(cut);
        let parts = program.in_blocks(&model, &[front, back], &[]);
        assert_eq!(
            interval(&model, &parts),
            interval(&model, &whole),
            "cut at {cut}"
        );
    }
}
