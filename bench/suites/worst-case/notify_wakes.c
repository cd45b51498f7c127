// SPDX-License-Identifier: MIT
//
// Notifies a task of higher priority that waits for a notification; it runs and waits again.
#include "worst_case.h"

static const struct bench_task waiting_task = {FIRST_TASK};
static volatile uint32_t woken;

static void waiter(void) {
    for (;;) {
        require_ok(bench_notification_wait(BENCH_FOREVER), "a call without timeout failed");
        woken++;
    }
}

static void service(void) {
    require_ok(bench_notify(waiting_task), "notifying a waiting task reported an error");
}

static void undo(void) {
    static uint32_t notified;
    notified++;
    BENCH_REQUIRE(woken == notified, "the higher task that waited did not run");
}

static void sweeper(void) {
    sweep(service, undo);
}

static const struct bench_task_declaration tasks[] = {
    WORST_CASE_OWN_TASKS,
    [FIRST_TASK] = WORST_CASE_TASK(waiter, HIGHER_PRIORITY),
};
static const struct bench_semaphore_declaration semaphores[] = {WORST_CASE_OWN_SEMAPHORES};

const struct bench_scenario bench_scenario = {.name = "notify-wakes",
                                              BENCH_TASKS(tasks),
                                              BENCH_SEMAPHORES(semaphores),
                                              BENCH_INTERRUPTS(worst_case_interrupts)};
