// SPDX-License-Identifier: MIT
//
// `unprivileged` with `fault`: a task of a restarted process does not run privileged.
#include "processes.h"
#include "unprivileged.h"

enum { LIVES = 3 };

static volatile unsigned lives;

static void faulty(void) {
    volatile uint32_t *const constant = (volatile uint32_t *)(uintptr_t)&bench_scenario;
    require_unprivileged();
    if (++lives < LIVES) {
        *constant = 0;
    }
    bench_task_exit();
}

static void prover(void) {
    BENCH_MARK("begin");
    BENCH_REQUIRE(lives == LIVES, "fault: the process was not restarted");
    require_unprivileged();
    proved();
}

static const struct bench_task_declaration tasks[] = {
    TASK_OF(SECOND, faulty, 5),
    TASK_OF(FIRST, prover, 10),
};

const struct bench_scenario bench_scenario = {
    .name = "unprivileged-restarted", BENCH_TASKS(tasks), BENCH_PROCESSES(processes)};
