// SPDX-License-Identifier: MIT
//
// A task takes a free semaphore and gives it back.
#include "background.h"

static const struct bench_semaphore semaphore = {0};

static void take_and_give(void) {
    REQUIRE_OK(bench_semaphore_take(semaphore, BENCH_NO_WAIT),
               "a semaphore at 1 could not be taken");
    REQUIRE_OK(bench_semaphore_give(semaphore), "a semaphore at 0 could not be given");
}

static void user(void) {
    use_at_each_tick(take_and_give, USES);
}

static const struct bench_task_declaration tasks[] = {TASK(user, LOW_PRIORITY), DHRYSTONE};

static const struct bench_semaphore_declaration semaphores[] = {{.initial = 1, .maximum = 1}};

const struct bench_scenario bench_scenario = {
    .name = "semaphore", BENCH_TASKS(tasks), BENCH_SEMAPHORES(semaphores)};
