// SPDX-License-Identifier: MIT
//
// Runs the same loop at eight alignments, one after the other.
#include <bench/calibration.h>
#include <bench/mark.h>
#include <bench/port.h>
#include <bench/scenario.h>

enum { ITERATIONS = 64, LARGEST = 256 };

typedef void loop(uint32_t iterations);

// Bit 0 of a function pointer may encode the instruction set (Arm: Thumb), so it is masked.
static void check_alignment(loop *function, uintptr_t align) {
    const uintptr_t address = (uintptr_t)function & ~(uintptr_t)1;
    if (address % (2 * LARGEST) != align) {
        bench_fail("a loop does not have the alignment of its name");
    }
}

#define PASS(align)                                            \
    check_alignment(bench_calibration_align_##align, (align)); \
    BENCH_MARK("align-" #align ".begin");                      \
    bench_calibration_align_##align(ITERATIONS);               \
    BENCH_MARK("align-" #align ".end")

static void task(void) {
    for (;;) {
        PASS(2);
        PASS(4);
        PASS(8);
        PASS(16);
        PASS(32);
        PASS(64);
        PASS(128);
        PASS(256);
    }
}

static const struct bench_task_declaration tasks[] = {
    {.name = "loops", .entry = task, .stack_bytes = 256, .priority = 10},
};

const struct bench_scenario bench_scenario = {.name = "loop", BENCH_TASKS(tasks)};
