// SPDX-License-Identifier: MIT
//
// `delay`: blocks the caller for at least the given number of ticks, and lower tasks run meanwhile.
#include "conformance.h"

enum { TICKS = 3 };

static volatile unsigned lower_passes;

static void sleeper(void) {
    BENCH_MARK("begin");
    const uint32_t start = bench_ticks();
    bench_task_delay(TICKS);
    BENCH_REQUIRE(bench_ticks() - start >= TICKS, "delay: shorter than requested");
    BENCH_REQUIRE(lower_passes != 0, "delay: no lower task ran meanwhile");
    proved();
}

static void lower(void) {
    for (;;) {
        lower_passes++;
    }
}

static const struct bench_task_declaration tasks[] = {
    TASK(sleeper, 5, BENCH_READY),
    TASK(lower, 10, BENCH_READY),
};

const struct bench_scenario bench_scenario = {.name = "delay", BENCH_TASKS(tasks)};
