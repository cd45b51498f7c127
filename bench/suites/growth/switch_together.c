// SPDX-License-Identifier: MIT
//
// Each working node has two tasks of one priority, which yield to each other without pause. The
// span runs from before one task's yield to the return of the other task from its own: the cost of
// a switch while all nodes switch.
#include "growth.h"

enum { TASKS = 2 };

static volatile uint32_t turns; // of this node

static void take_turns(void) {
    static volatile uint32_t arrivals;
    const uint32_t place = arrivals++; // the kernel chooses which task starts
    if (place == 0) {
        start_together();
    }
    for (;;) {
        BENCH_MARK("yield.before");
        bench_task_yield();
        BENCH_MARK("yield.after");
        BENCH_REQUIRE(turns++ % TASKS == place, "not the task that waited longer");
    }
}

#define ON(node) TASK_ON(node, take_turns, LOW_PRIORITY), TASK_ON(node, take_turns, LOW_PRIORITY)

static const struct bench_task_declaration tasks[] = {STARTER, ON_EACH_WORKING_NODE(ON)};

const struct bench_scenario bench_scenario = {.name = "switch-together",
                                              WITH_STARTER(tasks, TASKS)};
