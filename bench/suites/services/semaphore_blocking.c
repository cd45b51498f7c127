// SPDX-License-Identifier: MIT
//
// A high task waits for a semaphore that a low one gives: every give wakes the high task, and every
// take blocks it. The two spans are the two halves of a round, each with one switch of tasks:
// signal-unblock from before the give to behind the take, wait-block from before the next take to
// behind the give that the low task was in.
#include <bench/mark.h>
#include <bench/port.h>

static const struct bench_semaphore SEMAPHORE = {0};

static volatile unsigned long given, taken;

static void high_task(void) {
    for (;;) {
        BENCH_MARK("wait.before");
        enum bench_status status = bench_semaphore_take(SEMAPHORE, BENCH_FOREVER);
        BENCH_MARK("wait.after");
        BENCH_REQUIRE(status == BENCH_OK, "an endless wait for a semaphore ended without it");
        taken++;
        BENCH_REQUIRE(taken == given, "a task went on before its semaphore was given");
    }
}

static void low_task(void) {
    for (;;) {
        given++;
        BENCH_MARK("signal.before");
        enum bench_status status = bench_semaphore_give(SEMAPHORE);
        BENCH_MARK("signal.after");
        BENCH_REQUIRE(status == BENCH_OK, "a semaphore at 0 could not be given");
        BENCH_REQUIRE(taken == given, "the higher task that was woken did not run at once");
    }
}

static const struct bench_task_declaration tasks[] = {
    {.name = "high", .entry = high_task, .stack_bytes = 512, .priority = 3},
    {.name = "low", .entry = low_task, .stack_bytes = 512, .priority = 10},
};

static const struct bench_semaphore_declaration semaphores[] = {{.initial = 0, .maximum = 1}};

const struct bench_scenario bench_scenario = {
    .name = "semaphore-blocking", BENCH_TASKS(tasks), BENCH_SEMAPHORES(semaphores)};
