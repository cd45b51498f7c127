// SPDX-License-Identifier: MIT
//
// `migrate`: a task that moves to another node continues there, with its stack and registers, while
// a task of the same priority runs on that node, and comes back.
#include "../conformance.h"

enum { FIRST, SECOND, ROUNDS = 8 };

static void traveller(void) {
    volatile uint32_t kept[4] = {1, 2, 3, 4};
    BENCH_MARK("begin");
    for (uint32_t round = 1; round <= ROUNDS; round++) {
        const uint32_t node = round % 2 == 1 ? SECOND : FIRST;
        REQUIRE_OK(bench_task_migrate(node), "migrate: refused");
        BENCH_REQUIRE(bench_node_self() == node, "migrate: the task is not on the node");
        BENCH_REQUIRE(kept[round % 4] == round % 4 + 1, "migrate: the stack is not the same");
    }
    proved();
}

static void resident(void) {
    for (;;) {
        BENCH_REQUIRE(bench_node_self() == SECOND, "node: a task runs on the wrong node");
        bench_task_yield();
    }
}

static const struct bench_task_declaration tasks[] = {
    TASK_ON(FIRST, traveller, 5, BENCH_READY),
    TASK_ON(SECOND, resident, 5, BENCH_READY),
};

const struct bench_scenario bench_scenario = {.name = "nodes-migrate", BENCH_TASKS(tasks)};
