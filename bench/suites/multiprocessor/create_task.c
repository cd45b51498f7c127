// SPDX-License-Identifier: MIT
//
// A task creates another task while PARAM_EXISTING more tasks are ready on its node. All have one
// priority, so the created task is placed after them. It runs in its turn, ends, and is created
// again. Source: Samuelsson et al. (suite.toml), 2.1.
#include "placement.h"

enum { CREATED = 1, FIRST_EXISTING = 2 };

static volatile uint32_t runs;

static void creator(void) {
    const struct bench_task created = {CREATED};
    for (uint32_t round = 1;; round++) {
        BENCH_MARK("create.before");
        const enum bench_status status = bench_task_create(created);
        BENCH_MARK("create.after");
        REQUIRE_OK(status, "create failed");
        BENCH_REQUIRE(runs == round - 1,
                      "a created task of equal priority ran before its creator yielded");
        bench_task_yield(); // all other tasks take their turn, the created one last
        BENCH_REQUIRE(runs == round, "the created task did not run exactly once");
    }
}

static void run_once(void) {
    BENCH_REQUIRE(bench_task_self().index == CREATED,
                  "another task runs in place of the created one");
    BENCH_REQUIRE(bench_node_self() == FIRST_NODE, "the created task is on another node");
    runs++;
    bench_task_exit();
}

static void existing(void) {
    for (;;) {
        bench_task_yield();
    }
}

static const struct bench_task_declaration tasks[FIRST_EXISTING + 16] = {
    [0] = TASK_ON(FIRST_NODE, creator, LOW_PRIORITY),
    [CREATED] = {.name = "created",
                 .entry = run_once,
                 .stack_bytes = STACK_BYTES,
                 .priority = LOW_PRIORITY,
                 .node = FIRST_NODE,
                 .initially = BENCH_ABSENT},
    [FIRST_EXISTING... FIRST_EXISTING + 15] = TASK_ON(FIRST_NODE, existing, LOW_PRIORITY),
};

const struct bench_scenario bench_scenario = {
    .name = "create-task", .tasks = tasks, .task_count = FIRST_EXISTING + PARAM_EXISTING};
