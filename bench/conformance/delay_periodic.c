// SPDX-License-Identifier: MIT
//
// `delay-periodic`: releases the caller exactly one period after its last release, however long it
// worked in between, and lower tasks run meanwhile.
#include "conformance.h"

enum { PERIOD_TICKS = 3, ROUNDS = 4 };

static volatile unsigned lower_passes;

static void work_into_the_next_tick(void) {
    const uint32_t now = bench_ticks();
    while (bench_ticks() == now) {
    }
}

static void periodic(void) {
    BENCH_MARK("begin");
    uint32_t wake = bench_ticks();
    for (int round = 0; round < ROUNDS; round++) {
        const uint32_t due = wake + PERIOD_TICKS;
        const unsigned before = lower_passes;
        bench_task_delay_until(&wake, PERIOD_TICKS);
        BENCH_REQUIRE(wake == due, "delay-periodic: `wake` did not advance by one period");
        BENCH_REQUIRE(bench_ticks() == due, "delay-periodic: released in the wrong tick");
        BENCH_REQUIRE(lower_passes != before, "delay-periodic: no lower task ran meanwhile");
        work_into_the_next_tick();
    }
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
