// SPDX-License-Identifier: MIT
//
// `semaphore`: over 100 000 operations, each count that is given is taken exactly once.
#include "endurance.h"

static const struct bench_semaphore semaphore = {0};
static volatile uint32_t given_by_prover, given_by_interferer, taken;

static void taker(void) {
    for (;;) {
        REQUIRE_OK(bench_semaphore_take(semaphore, BENCH_FOREVER),
                   "semaphore: a take without timeout failed");
        taken++;
    }
}

static void do_round(uint32_t round) {
    REQUIRE_OK(bench_semaphore_give(semaphore), "semaphore: refused below its maximum");
    given_by_prover = round + 1;
}

static void interfere(void) {
    REQUIRE_OK(bench_semaphore_give(semaphore), "semaphore: refused below its maximum");
    given_by_interferer++;
}

static void require_nothing_lost(void) {
    const uint32_t by_interferer = given_by_interferer, all = taken;
    BENCH_REQUIRE(all >= given_by_prover + by_interferer, "semaphore: a count was lost");
    BENCH_REQUIRE(all <= given_by_prover + given_by_interferer,
                  "semaphore: a count was taken twice");
}

static const struct bench_task_declaration tasks[] = {
    ENDURING_TASKS,
    TASK(taker, 5, BENCH_READY),
};

static const struct bench_semaphore_declaration semaphores[] = {{.initial = 0, .maximum = 10}};

const struct bench_scenario bench_scenario = {
    .name = "semaphore-endurance", BENCH_TASKS(tasks), BENCH_SEMAPHORES(semaphores)};
