// SPDX-License-Identifier: MIT
//
// A fixed amount of work of the master's task, while PARAM_YIELDING slaves each run two tasks that
// yield to each other without pause. The share of the processor that is left for the work is its
// time without yielding slaves (yielding = 0) divided by its time with them.
#include "multiprocessor.h"

enum { YIELDING = PARAM_YIELDING, WORK_ROUNDS = 4000, POLLS_MAX = 10 * WORK_ROUNDS };

static volatile uint32_t done;

static void work(void) {
    for (uint32_t i = 0; i < WORK_ROUNDS; i++) {
        done++;
    }
}

// The number of yields of a node's tasks.
static volatile uint32_t *yields(uint32_t node) {
    return (volatile uint32_t *)bench_shared_memory() + node;
}

// Checks that each slave yields during the work. Over a slow bus, a yield may take longer than the
// work; it then completes soon afterwards, so the check waits a little. A slave that can make no
// progress while the master's task runs makes none during this wait either.
static void await_yield(uint32_t node, uint32_t before) {
    for (uint32_t polls = 0; *yields(node) == before; polls++) {
        BENCH_REQUIRE(polls < POLLS_MAX, "a slave did not yield during the work or soon after it");
    }
}

static void worker(void) {
    for (;;) {
        uint32_t before[1 + YIELDING];
        for (uint32_t node = 1; node <= YIELDING; node++) {
            while ((before[node] = *yields(node)) == 0) {
            }
        }
        BENCH_MARK("work.before");
        work();
        BENCH_MARK("work.after");
        for (uint32_t node = 1; node <= YIELDING; node++) {
            await_yield(node, before[node]);
        }
        BENCH_REQUIRE(done % WORK_ROUNDS == 0, "a part of the work was not done");
    }
}

static void yielder(void) {
    static uint32_t count; // of both tasks of the node
    for (;;) {
        bench_task_yield();
        *yields(bench_node_self()) = ++count;
    }
}

static const struct bench_task_declaration tasks[] = {
    TASK_ON(0, worker, LOW_PRIORITY),  TASK_ON(1, yielder, LOW_PRIORITY),
    TASK_ON(1, yielder, LOW_PRIORITY), TASK_ON(2, yielder, LOW_PRIORITY),
    TASK_ON(2, yielder, LOW_PRIORITY), TASK_ON(3, yielder, LOW_PRIORITY),
    TASK_ON(3, yielder, LOW_PRIORITY),
};

const struct bench_scenario bench_scenario = {
    .name = "share", .tasks = tasks, .task_count = 1 + 2 * YIELDING};
