// SPDX-License-Identifier: MIT
//
// `time_slicing`: tasks of equal priority share the processor tick by tick, although none yields.
#include <bench/mark.h>
#include <bench/port.h>

enum { TICKS = 5, STACK_BYTES = 512 };

static volatile unsigned begun;

static void equal(void) {
    if (begun++ != 0) {
        BENCH_MARK("seen");
        bench_finish(); // the first task is still in its loop
    }
    BENCH_MARK("begin");
    const uint32_t start = bench_ticks();
    while (bench_ticks() - start < TICKS) {
    }
    bench_fail("a ready task of equal priority did not run for 5 ticks");
}

#define EQUAL {.name = "equal", .entry = equal, .stack_bytes = STACK_BYTES, .priority = 10}

static const struct bench_task_declaration tasks[] = {EQUAL, EQUAL};

const struct bench_scenario bench_scenario = {.name = "time-slicing", BENCH_TASKS(tasks)};
