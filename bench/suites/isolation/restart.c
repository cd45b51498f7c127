// SPDX-License-Identifier: MIT
//
// A task of another process faults, and the process is restarted. The span runs from the faulting
// instruction to the restarted task's first instruction. The restarted task then waits, and the
// first process runs until it wakes that task.
#include "fault.h"

static const struct bench_semaphore go = {0};

static void faulty(void) {
    BENCH_MARK("restarted");
    const enum bench_status status = bench_semaphore_take(go, BENCH_FOREVER);
    BENCH_REQUIRE(status == BENCH_OK, "a take without timeout failed");
    provoke_fault();
}

static void survivor(void) {
    for (;;) {
        const uint32_t before = provoked;
        const enum bench_status status = bench_semaphore_give(go);
        BENCH_REQUIRE(status == BENCH_OK, "a semaphore at 0 could not be given");
        BENCH_REQUIRE(provoked == before + 1, "the higher task that was woken did not run at once");
        require_report();
    }
}

static const struct bench_task_declaration tasks[] = {
    [FAULTY] = TASK_OF(SECOND, faulty, HIGH_PRIORITY),
    [SURVIVOR] = TASK_OF(FIRST, survivor, LOW_PRIORITY),
};

static const struct bench_semaphore_declaration semaphores[] = {
    {.initial = 0, .maximum = 1, .users = BOTH},
};

const struct bench_scenario bench_scenario = {.name = "restart",
                                              BENCH_TASKS(tasks),
                                              BENCH_PROCESSES(processes),
                                              BENCH_SEMAPHORES(semaphores)};
