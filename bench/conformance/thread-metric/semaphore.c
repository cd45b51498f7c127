// SPDX-License-Identifier: MIT
//
// `semaphore`: can be taken once, and again after a give. A take at 0 fails or waits for the give.
#include "tm_conformance.h"

static volatile bool given;

static void give(void) {
    given = true;
    REQUIRE_SUCCESS(tm_semaphore_put(0), "semaphore: refused a count at 0");
}

static void high(void) {
    BENCH_MARK("begin");
    REQUIRE_SUCCESS(tm_semaphore_get(0), "semaphore: initial count missing");
    const int second = tm_semaphore_get(0); // runs the low thread if it waits
    BENCH_REQUIRE(given || second != TM_SUCCESS, "semaphore: taken at 0");
    if (!given) {
        give();
        REQUIRE_SUCCESS(tm_semaphore_get(0), "semaphore: lost a count");
    }
    proved();
}

static void low(void) {
    give();
    bench_fail("semaphore: a higher waiter did not pre-empt its giver");
}

static const struct bench_task_declaration tasks[] = {
    TASK(high, 5, BENCH_READY),
    TASK(low, 10, BENCH_READY),
};

static const struct bench_semaphore_declaration semaphores[] = {{.initial = 1, .maximum = 1}};

const struct bench_scenario bench_scenario = {
    .name = "tm-semaphore", BENCH_TASKS(tasks), BENCH_SEMAPHORES(semaphores)};
