// SPDX-License-Identifier: MIT
//
// Measures the deviation of each period from the nominal one. A task is released at every tick. A
// task of lower priority always runs, because an idle processor would sleep, and time would pass
// without instructions.
#include "services.h"

enum { PERIOD_TICKS = 1 };

static void periodic(void) {
    uint32_t wake = bench_ticks();
    for (;;) {
        const uint32_t expected = wake + PERIOD_TICKS;
        bench_task_delay_until(&wake, PERIOD_TICKS);
        BENCH_MARK("released");
        BENCH_REQUIRE(wake == expected, "delay-periodic: `wake` did not advance by one period");
        BENCH_REQUIRE(bench_ticks() == expected, "delay-periodic: released in the wrong tick");
    }
}

static const struct bench_task_declaration tasks[] = {
    TASK(periodic, HIGH_PRIORITY),
    TASK(stay_ready, IDLE_PRIORITY),
};

const struct bench_scenario bench_scenario = {.name = "delay-jitter", BENCH_TASKS(tasks)};
