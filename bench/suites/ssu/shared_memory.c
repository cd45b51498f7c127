// SPDX-License-Identifier: MIT
//
// Two tasks exchange a word in memory that both access, and tell each other by two semaphores. A
// span is one exchange there and back: two switches.
#include "../shared/tasks.h"

static const struct bench_semaphore requested = {0}, answered = {1};
static volatile uint32_t word;

static void server(void) {
    for (;;) {
        REQUIRE_OK(bench_semaphore_take(requested, BENCH_FOREVER), "a take without timeout failed");
        word = ~word;
        REQUIRE_OK(bench_semaphore_give(answered), "a semaphore at 0 could not be given");
    }
}

static void client(void) {
    for (uint32_t number = 1;; number++) {
        word = number;
        BENCH_MARK("request");
        const enum bench_status given = bench_semaphore_give(requested);
        const enum bench_status taken = bench_semaphore_take(answered, BENCH_FOREVER);
        BENCH_MARK("answer");
        BENCH_REQUIRE(given == BENCH_OK && taken == BENCH_OK, "a semaphore failed");
        BENCH_REQUIRE(word == ~number, "the answer is not that to the request");
    }
}

static const struct bench_task_declaration tasks[] = {
    TASK(client, LOW_PRIORITY),
    TASK(server, HIGH_PRIORITY),
};

static const struct bench_semaphore_declaration semaphores[] = {
    {.initial = 0, .maximum = 1},
    {.initial = 0, .maximum = 1},
};

const struct bench_scenario bench_scenario = {
    .name = "shared-memory", BENCH_TASKS(tasks), BENCH_SEMAPHORES(semaphores)};
