// SPDX-License-Identifier: MIT
//
// `task-create` and `task-exit`: an absent task does not run; a created task pre-empts the caller
// at once if its priority is higher, otherwise it waits for its turn; a task that has ended runs no
// more.
#include "conformance.h"

enum { HIGHER, LOWER, PROVER };

static volatile unsigned higher_runs, lower_runs;

static void higher(void) {
    higher_runs++;
    bench_task_exit();
}

static void lower(void) {
    lower_runs++;
    bench_task_exit();
}

static void prover(void) {
    BENCH_MARK("begin");
    BENCH_REQUIRE(higher_runs == 0, "start: a task declared as absent ran");
    REQUIRE_OK(bench_task_create((struct bench_task){HIGHER}), "task-create: failed");
    BENCH_REQUIRE(higher_runs == 1, "task-create: a higher task did not pre-empt at once");
    REQUIRE_OK(bench_task_create((struct bench_task){LOWER}), "task-create: failed");
    BENCH_REQUIRE(lower_runs == 0, "task-create: a lower task pre-empted");
    bench_task_delay(1);
    BENCH_REQUIRE(lower_runs == 1,
                  "task-create: a lower task did not run while the higher tasks slept");
    BENCH_REQUIRE(higher_runs == 1, "task-exit: a task that ended ran again");
    proved();
}

static const struct bench_task_declaration tasks[] = {
    [HIGHER] = TASK(higher, 5, BENCH_ABSENT),
    [LOWER] = TASK(lower, 12, BENCH_ABSENT),
    [PROVER] = TASK(prover, 10, BENCH_READY),
};

const struct bench_scenario bench_scenario = {.name = "task-create", BENCH_TASKS(tasks)};
