// SPDX-License-Identifier: MIT
//
// 4 KiB of branch-free code: shows wait states and prefetching, which a loop in a cache hides.
#include <bench/calibration.h>
#include <bench/mark.h>
#include <bench/scenario.h>

static void task(void) {
    for (;;) {
        BENCH_MARK("begin");
        bench_calibration_straight();
        BENCH_MARK("end");
    }
}

static const struct bench_task_declaration tasks[] = {
    {.name = "straight", .entry = task, .stack_bytes = 256, .priority = 10},
};

const struct bench_scenario bench_scenario = {.name = "straight", BENCH_TASKS(tasks)};
