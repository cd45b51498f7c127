// SPDX-License-Identifier: MIT
//
// Creates a task of higher priority, which runs and ends. A kernel may free its memory in the idle
// task, which runs before the next tick: until then there is memory for a few more tasks.
#define WORST_CASE_CALLS_A_TICK (3000 / BENCH_TICK_HZ)
#include "worst_case.h"

static const struct bench_task created = {FIRST_TASK};
static volatile uint32_t runs;

static void run_once(void) {
    runs++;
    bench_task_exit();
}

static void service(void) {
    require_ok(bench_task_create(created), "a task that had ended could not be created");
}

static void undo(void) {
    static uint32_t creations;
    creations++;
    BENCH_REQUIRE(runs == creations, "the higher task that was created did not run");
}

static void sweeper(void) {
    for (uint32_t i = 0; i < WORST_CASE_CALLS_A_TICK; i++) {
        service();
        undo();
    }
    sweep(service, undo);
}

static const struct bench_task_declaration tasks[] = {
    WORST_CASE_OWN_TASKS,
    [FIRST_TASK] = {.name = "run_once",
                    .entry = run_once,
                    .stack_bytes = WORST_CASE_STACK_BYTES,
                    .priority = HIGHER_PRIORITY,
                    .initially = BENCH_ABSENT},
};
static const struct bench_semaphore_declaration semaphores[] = {WORST_CASE_OWN_SEMAPHORES};

const struct bench_scenario bench_scenario = {.name = "task-exit",
                                              BENCH_TASKS(tasks),
                                              BENCH_SEMAPHORES(semaphores),
                                              BENCH_INTERRUPTS(worst_case_interrupts)};
