// SPDX-License-Identifier: MIT
//
// PARAM_ACTIVE tasks of one priority on one node yield in turn. The span runs from before one
// task's yield to the return of the next task from its own. Source: Samuelsson et al. (suite.toml),
// 2.2.
#include "placement.h"

enum { ACTIVE = PARAM_ACTIVE };

static volatile uint32_t turns;

static void take_turns(void) {
    static volatile uint32_t arrivals;
    const uint32_t place = arrivals++; // the kernel chooses which task starts
    BENCH_REQUIRE(bench_node_self() == FIRST_NODE, "the task is on another node");
    for (;;) {
        BENCH_MARK("yield.before");
        bench_task_yield();
        BENCH_MARK("yield.after");
        BENCH_REQUIRE(turns++ % ACTIVE == place, "not the task that waited longest");
    }
}

static const struct bench_task_declaration tasks[] = {
    [0 ... ACTIVE - 1] = TASK_ON(FIRST_NODE, take_turns, LOW_PRIORITY),
};

const struct bench_scenario bench_scenario = {.name = "task-switch", BENCH_TASKS(tasks)};
