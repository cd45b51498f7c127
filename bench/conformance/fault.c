// SPDX-License-Identifier: MIT
//
// `fault`: a write to memory outside the task's process stops the task at that instruction; the
// kernel counts the fault and restarts the process, and the other processes continue.
#include "processes.h"

enum { FAULTS = 3 };

static const struct bench_semaphore go = {0};
static volatile uint32_t begun;

static void faulty(void) {
    volatile uint32_t *const constant = (volatile uint32_t *)(uintptr_t)&bench_scenario;
    begun++;
    REQUIRE_OK(bench_semaphore_take(go, BENCH_FOREVER), "semaphore: a take without timeout failed");
    *constant = 0;
    bench_fail("fault: a write to constants was allowed");
}

static void prover(void) {
    BENCH_MARK("begin");
    for (uint32_t faults = 0; faults < FAULTS; faults++) {
        BENCH_REQUIRE(bench_process_faults(SECOND) == faults,
                      "fault: a fault was not counted exactly once");
        BENCH_REQUIRE(begun == faults + 1, "fault: the process was not restarted");
        REQUIRE_OK(bench_semaphore_give(go), "semaphore: refused to wake a waiter");
    }
    proved();
}

static const struct bench_task_declaration tasks[] = {
    TASK_OF(SECOND, faulty, 5),
    TASK_OF(FIRST, prover, 10),
};

static const struct bench_semaphore_declaration semaphores[] = {
    {.initial = 0, .maximum = 1, .process = FIRST, .users = BOTH},
};

const struct bench_scenario bench_scenario = {
    .name = "fault", BENCH_TASKS(tasks), BENCH_PROCESSES(processes), BENCH_SEMAPHORES(semaphores)};
