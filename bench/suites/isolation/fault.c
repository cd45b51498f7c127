// SPDX-License-Identifier: MIT
//
// A task of another process faults. The span runs from the faulting instruction to the first
// instruction of the surviving task.
#include "fault.h"

static void faulty(void) {
    provoke_fault();
}

static void survivor(void) {
    for (;;) {
        const uint32_t before = provoked;
        const enum bench_status status = bench_task_resume(faulty_task);
        BENCH_MARK("survivor");
        BENCH_REQUIRE(status == BENCH_OK, "resume: failed for a suspended task");
        BENCH_REQUIRE(provoked == before + 1, "resume: a higher task did not pre-empt at once");
        require_report();
    }
}

static const struct bench_task_declaration tasks[] = {
    [FAULTY] = {.name = "faulty",
                .entry = faulty,
                .stack_bytes = STACK_BYTES,
                .priority = HIGH_PRIORITY,
                .process = SECOND,
                .initially = BENCH_SUSPENDED},
    [SURVIVOR] = TASK_OF(FIRST, survivor, LOW_PRIORITY),
};

const struct bench_scenario bench_scenario = {
    .name = "fault", BENCH_TASKS(tasks), BENCH_PROCESSES(processes)};
