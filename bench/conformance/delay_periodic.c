// SPDX-License-Identifier: MIT
//
// `delay-periodic`: the releases keep their distance, however long the caller works in between.
#include "conformance.h"

enum { PERIOD_TICKS = 3, WORK_TICKS = 2, RELEASES = 4 };

static volatile unsigned lower_passes;

static void work(void) {
    const uint32_t start = bench_ticks();
    while (bench_ticks() - start < WORK_TICKS) {
    }
}

static void periodic(void) {
    BENCH_MARK("begin");
    const uint32_t start = bench_ticks();
    uint32_t wake = start;
    for (uint32_t release = 1; release <= RELEASES; release++) {
        const uint32_t due = start + release * PERIOD_TICKS;
        bench_task_delay_until(&wake, PERIOD_TICKS);
        BENCH_REQUIRE(wake == due, "delay-periodic: the caller is not told its release");
        BENCH_REQUIRE((int32_t)(bench_ticks() - due) >= 0, "delay-periodic: released too early");
        BENCH_REQUIRE(bench_ticks() - due < PERIOD_TICKS, "delay-periodic: the releases drift");
        work();
    }
    BENCH_REQUIRE(lower_passes != 0, "delay-periodic: no lower task ran meanwhile");
    proved();
}

static void lower(void) {
    for (;;) {
        lower_passes++;
    }
}

static const struct bench_task_declaration tasks[] = {
    TASK(periodic, 5, BENCH_READY),
    TASK(lower, 10, BENCH_READY),
};

const struct bench_scenario bench_scenario = {.name = "delay-periodic", BENCH_TASKS(tasks)};
