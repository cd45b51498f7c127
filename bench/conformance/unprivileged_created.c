// SPDX-License-Identifier: MIT
//
// `unprivileged` with `task-create`: neither a created task, nor a task that is created again after
// it ended, runs privileged.
#include "unprivileged.h"

enum { CREATED, PROVER, LIVES = 2 };

static volatile unsigned lives;

static void created(void) {
    require_unprivileged();
    lives++;
    bench_task_exit();
}

static void prover(void) {
    BENCH_MARK("begin");
    for (unsigned life = 1; life <= LIVES; life++) {
        REQUIRE_OK(bench_task_create((struct bench_task){CREATED}), "task-create: failed");
        BENCH_REQUIRE(lives == life, "task-create: a higher task did not pre-empt at once");
        require_unprivileged();
        bench_task_delay(1);
    }
    proved();
}

static const struct bench_task_declaration tasks[] = {
    [CREATED] = TASK(created, 5, BENCH_ABSENT),
    [PROVER] = TASK(prover, 10, BENCH_READY),
};

const struct bench_scenario bench_scenario = {.name = "unprivileged-created", BENCH_TASKS(tasks)};
