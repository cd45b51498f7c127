// SPDX-License-Identifier: MIT
//
// Yields to another task of the caller's priority, which yields back: two switches.
#include "worst_case.h"

static volatile uint32_t turns;

static void partner(void) {
    for (;;) {
        turns++;
        bench_task_yield();
    }
}

static void service(void) {
    bench_task_yield();
}

// When the task that the interrupt woke blocks, a kernel may continue with either of the two tasks
// of equal priority. If the partner was interrupted within its turn, it completes the turn here.
static void undo(void) {
    static uint32_t before;
    bench_task_yield();
    BENCH_REQUIRE(turns != before, "yield without a switch");
    before = turns;
}

static void sweeper(void) {
    sweep(service, undo);
}

static const struct bench_task_declaration tasks[] = {
    WORST_CASE_OWN_TASKS,
    [FIRST_TASK] = WORST_CASE_TASK(partner, SWEEPER_PRIORITY),
};
static const struct bench_semaphore_declaration semaphores[] = {WORST_CASE_OWN_SEMAPHORES};

const struct bench_scenario bench_scenario = {.name = "yield",
                                              BENCH_TASKS(tasks),
                                              BENCH_SEMAPHORES(semaphores),
                                              BENCH_INTERRUPTS(worst_case_interrupts)};
