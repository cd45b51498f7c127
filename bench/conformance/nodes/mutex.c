// SPDX-License-Identifier: MIT
//
// `node-mutex`: while a task of one node owns a mutex, no task of another node gets it; the one
// that waits gets it afterwards.
#include "../conformance.h"

enum { FIRST, SECOND, ROUNDS = 20 };
enum { OWNER, SUM, ENDED }; // words of the shared memory

static const struct bench_mutex mutex = {0};

static volatile uint32_t *shared(void) {
    return (volatile uint32_t *)bench_shared_memory();
}

static void own(uint32_t self) {
    REQUIRE_OK(bench_mutex_lock(mutex, BENCH_FOREVER), "node-mutex: refused to lock");
    BENCH_REQUIRE(shared()[OWNER] == 0, "node-mutex: two nodes own the mutex");
    shared()[OWNER] = self;
    const uint32_t sum = shared()[SUM];
    bench_task_yield();
    shared()[SUM] = sum + 1;
    BENCH_REQUIRE(shared()[OWNER] == self, "node-mutex: two nodes own the mutex");
    shared()[OWNER] = 0;
    REQUIRE_OK(bench_mutex_unlock(mutex), "node-mutex: refused to unlock");
}

static void first(void) {
    BENCH_MARK("begin");
    for (uint32_t round = 0; round < ROUNDS; round++) {
        own(1);
    }
    while (!shared()[ENDED]) {
        bench_task_yield();
    }
    BENCH_REQUIRE(shared()[SUM] == 2 * ROUNDS, "node-mutex: a change by one of the owners is lost");
    proved();
}

static void second(void) {
    for (uint32_t round = 0; round < ROUNDS; round++) {
        own(2);
    }
    shared()[ENDED] = 1;
    for (;;) {
        bench_task_yield();
    }
}

static const struct bench_task_declaration tasks[] = {
    TASK_ON(FIRST, first, 5, BENCH_READY),
    TASK_ON(SECOND, second, 5, BENCH_READY),
};
static const struct bench_mutex_declaration mutexes[] = {{.inherits = 1}};

const struct bench_scenario bench_scenario = {
    .name = "nodes-mutex",
    BENCH_TASKS(tasks),
    BENCH_MUTEXES(mutexes),
};
