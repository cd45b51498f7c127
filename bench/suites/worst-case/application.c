// SPDX-License-Identifier: MIT
//
// Calls no service, only code of the application: the minimum cost of an interrupt, including the
// injection's own share. Compare the other scenarios with it.
#include "worst_case.h"

static volatile uint32_t work;

static void service(void) {
    for (uint32_t i = 0; i < 4; i++) {
        work += i;
    }
}

static void undo(void) {
}

static void sweeper(void) {
    sweep(service, undo);
}

static const struct bench_task_declaration tasks[] = {WORST_CASE_OWN_TASKS};
static const struct bench_semaphore_declaration semaphores[] = {WORST_CASE_OWN_SEMAPHORES};

const struct bench_scenario bench_scenario = {.name = "application",
                                              BENCH_TASKS(tasks),
                                              BENCH_SEMAPHORES(semaphores),
                                              BENCH_INTERRUPTS(worst_case_interrupts)};
