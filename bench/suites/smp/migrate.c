// SPDX-License-Identifier: MIT
//
// A task moves from the master to a slave and back. The span runs from before the first call to the
// return of the second: two moves. Nothing else runs on either node.
#include "../multiprocessor/multiprocessor.h"

enum { MASTER, SLAVE };

static void traveller(void) {
    volatile uint32_t moves = 0; // on the stack, which moves with the task
    for (uint32_t round = 1;; round++) {
        BENCH_MARK("move.before");
        const enum bench_status gone = bench_task_migrate(SLAVE);
        const uint32_t there = bench_node_self();
        const enum bench_status come = bench_task_migrate(MASTER);
        BENCH_MARK("move.after");
        REQUIRE_OK(gone, "migrate failed");
        REQUIRE_OK(come, "migrate failed");
        BENCH_REQUIRE(there == SLAVE, "the task did not move to the slave");
        BENCH_REQUIRE(bench_node_self() == MASTER, "the task did not move to the master");
        BENCH_REQUIRE(++moves == round, "the task lost its stack");
    }
}

static const struct bench_task_declaration tasks[] = {TASK_ON(MASTER, traveller, LOW_PRIORITY)};

const struct bench_scenario bench_scenario = {.name = "migrate", BENCH_TASKS(tasks)};
