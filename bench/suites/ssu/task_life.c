// SPDX-License-Identifier: MIT
//
// A task creates another one of higher priority, which runs at once and ends. Creation lasts until
// the created task runs, and termination until the creator runs again. The creator then sleeps for
// a tick, because some kernels return the memory of an ended task while no task runs.
#include "../shared/tasks.h"

enum { CREATOR, CREATED };

static volatile uint32_t runs;

static void creator(void) {
    for (uint32_t round = 1;; round++) {
        BENCH_MARK("create.before");
        const enum bench_status status = bench_task_create((struct bench_task){CREATED});
        BENCH_MARK("create.after");
        BENCH_REQUIRE(status == BENCH_OK, "create failed");
        BENCH_REQUIRE(runs == round, "a created task of higher priority did not run at once");
        bench_task_delay(1);
    }
}

static void run_once(void) {
    BENCH_MARK("created.runs");
    runs++;
    BENCH_MARK("exit.before");
    bench_task_exit();
}

static const struct bench_task_declaration tasks[] = {
    [CREATOR] = TASK(creator, LOW_PRIORITY),
    [CREATED] = {.name = "created",
                 .entry = run_once,
                 .stack_bytes = STACK_BYTES,
                 .priority = HIGH_PRIORITY,
                 .initially = BENCH_ABSENT},
};

const struct bench_scenario bench_scenario = {.name = "task-life", BENCH_TASKS(tasks)};
