// SPDX-License-Identifier: MIT
//
// Wakes a task of higher priority in another process, which faults. The kernel terminates and
// restarts all tasks of that process (parameter `tasks`), and each of them waits again. The longer
// a restart takes, the fewer calls fit between two ticks.
#define WORST_CASE_CALLS_A_TICK (12000 / BENCH_TICK_HZ / PARAM_TASKS)
#include "processes.h"

static const struct bench_semaphore semaphore = {FIRST_SEMAPHORE};
static volatile uint32_t begun, provoked;

static void faulty(void) {
    volatile uint32_t *const constant = (volatile uint32_t *)(uintptr_t)&bench_scenario;
    begun++;
    require_ok(bench_semaphore_take(semaphore, BENCH_FOREVER), "a call without timeout failed");
    provoked++;
    *constant = 0;
    bench_fail("a write to constants was allowed");
}

static void service(void) {
    require_ok(bench_semaphore_give(semaphore), "a semaphore below its maximum refused a count");
}

// Each task adds 1 to `begun` when it starts: once at start-up, and once at each restart.
static void undo(void) {
    static uint32_t restarts;
    restarts++;
    BENCH_REQUIRE(provoked == restarts, "the higher task that waited did not run");
    BENCH_REQUIRE(begun == (restarts + 1) * PARAM_TASKS,
                  "not every task of the process was restarted exactly once");
}

static void sweeper(void) {
    sweep(service, undo);
}

static const struct bench_task_declaration tasks[] = {
    WORST_CASE_OWN_TASKS,
    [FIRST_TASK... FIRST_TASK + PARAM_TASKS - 1] = {.name = "faulty",
                                                    .entry = faulty,
                                                    .stack_bytes = WORST_CASE_STACK_BYTES,
                                                    .priority = HIGHER_PRIORITY,
                                                    .process = SECOND},
};
static const struct bench_semaphore_declaration semaphores[] = {
    WORST_CASE_OWN_SEMAPHORES,
    [FIRST_SEMAPHORE] = {.initial = 0, .maximum = 1, .users = 1u << SECOND},
};

const struct bench_scenario bench_scenario = {.name = "restart",
                                              BENCH_TASKS(tasks),
                                              BENCH_SEMAPHORES(semaphores),
                                              BENCH_PROCESSES(processes),
                                              BENCH_INTERRUPTS(worst_case_interrupts)};
