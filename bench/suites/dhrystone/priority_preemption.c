// SPDX-License-Identifier: MIT
//
// A task wakes a higher task, which pre-empts it and waits again. One use includes both switches.
#include "background.h"

static const struct bench_semaphore semaphore = {0};
static volatile uint32_t given, taken;

static void high(void) {
    for (;;) {
        REQUIRE_OK(bench_semaphore_take(semaphore, BENCH_FOREVER), "a take without timeout failed");
        taken++;
    }
}

static void wake_higher(void) {
    given++;
    REQUIRE_OK(bench_semaphore_give(semaphore), "a semaphore at 0 could not be given");
    BENCH_REQUIRE(taken == given, "the higher task that was woken did not run at once");
}

static void user(void) {
    use_at_each_tick(wake_higher, USES);
}

static const struct bench_task_declaration tasks[] = {
    TASK(high, HIGH_PRIORITY),
    TASK(user, LOW_PRIORITY),
    DHRYSTONE,
};

static const struct bench_semaphore_declaration semaphores[] = {{.initial = 0, .maximum = 1}};

const struct bench_scenario bench_scenario = {
    .name = "priority-preemption", BENCH_TASKS(tasks), BENCH_SEMAPHORES(semaphores)};
