// SPDX-License-Identifier: MIT
//
// `semaphore`: has its initial count, times out with and without waiting, never exceeds its
// maximum, and serves waiters in order of priority, FIFO among equals.
#include "conformance.h"

enum { MAXIMUM = 3, WAITERS = 3, TIMEOUT_TICKS = 2 };

static const struct bench_semaphore counting = {0}, gate = {1}, never_given = {2};
static volatile unsigned arrived[WAITERS], arrivals, served[WAITERS], services;

static void wait_at_gate(unsigned self) {
    arrived[arrivals++] = self;
    REQUIRE_OK(bench_semaphore_take(gate, BENCH_FOREVER),
               "semaphore: a take without timeout failed");
    served[services++] = self;
    REQUIRE_OK(bench_semaphore_take(never_given, BENCH_FOREVER),
               "semaphore: a take without timeout failed");
    bench_fail("semaphore: taken without a give");
}

static void highest(void) {
    wait_at_gate(0);
}

static void equal_1(void) {
    wait_at_gate(1);
}

static void equal_2(void) {
    wait_at_gate(2);
}

static void prove_counting(void) {
    REQUIRE_OK(bench_semaphore_take(counting, BENCH_NO_WAIT), "semaphore: initial count missing");
    REQUIRE_TIMED_OUT(bench_semaphore_take(counting, BENCH_NO_WAIT), "semaphore: taken at 0");
    for (int i = 0; i < MAXIMUM; i++) {
        REQUIRE_OK(bench_semaphore_give(counting), "semaphore: refused below its maximum");
    }
    const enum bench_status beyond = bench_semaphore_give(counting);
    BENCH_REQUIRE(beyond == BENCH_OK || beyond == BENCH_REFUSED,
                  "semaphore: a give at its maximum neither succeeded nor was refused");
    for (int i = 0; i < MAXIMUM; i++) {
        REQUIRE_OK(bench_semaphore_take(counting, BENCH_NO_WAIT), "semaphore: lost a count");
    }
    REQUIRE_TIMED_OUT(bench_semaphore_take(counting, BENCH_NO_WAIT),
                      "semaphore: counted beyond its maximum");
}

static void prove_timeout(void) {
    const uint32_t start = bench_ticks();
    REQUIRE_TIMED_OUT(bench_semaphore_take(counting, TIMEOUT_TICKS),
                      "semaphore: a take at 0 succeeded");
    BENCH_REQUIRE(bench_ticks() - start >= TIMEOUT_TICKS, "semaphore: timed out too early");
}

// Each waiter ran until it blocked, so the waiters arrived in order of priority and must be served
// in that order.
static void prove_order(void) {
    BENCH_REQUIRE(arrivals == WAITERS, "start: a higher task did not run before a lower one");
    for (unsigned i = 0; i < WAITERS; i++) {
        REQUIRE_OK(bench_semaphore_give(gate), "semaphore: refused to wake a waiter");
        BENCH_REQUIRE(services == i + 1, "semaphore: a higher waiter did not pre-empt its giver");
        BENCH_REQUIRE(served[i] == arrived[i],
                      "semaphore: waiters not served by priority, FIFO among equals");
    }
}

static void prover(void) {
    BENCH_MARK("begin");
    prove_counting();
    prove_timeout();
    prove_order();
    proved();
}

static const struct bench_task_declaration tasks[] = {
    TASK(equal_1, 8, BENCH_READY),
    TASK(equal_2, 8, BENCH_READY),
    TASK(highest, 6, BENCH_READY),
    TASK(prover, 10, BENCH_READY),
};

static const struct bench_semaphore_declaration semaphores[] = {
    {.initial = 1, .maximum = MAXIMUM},
    {.initial = 0, .maximum = 1},
    {.initial = 0, .maximum = 1},
};

const struct bench_scenario bench_scenario = {
    .name = "semaphore", BENCH_TASKS(tasks), BENCH_SEMAPHORES(semaphores)};
