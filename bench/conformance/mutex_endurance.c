// SPDX-License-Identifier: MIT
//
// `mutex`: over 100 000 operations there is one owner at a time, and every wait ends.
#include "endurance.h"

static const struct bench_mutex mutex = {0};
static volatile uint32_t inside, passes;

static void pass(void) {
    REQUIRE_OK(bench_mutex_lock(mutex, BENCH_FOREVER), "mutex: a lock without timeout failed");
    BENCH_REQUIRE(inside == 0, "mutex: a second task locked it");
    inside = 1;
    passes++;
    inside = 0;
    REQUIRE_OK(bench_mutex_unlock(mutex), "mutex: the owner could not unlock");
}

static void do_round(uint32_t round) {
    (void)round;
    pass();
}

static void interfere(void) {
    pass();
}

static void require_nothing_lost(void) {
    const uint32_t before = interferences, all = passes;
    BENCH_REQUIRE(all >= ROUNDS + before && all <= ROUNDS + interferences + 1,
                  "mutex: two tasks were inside at once");
}

static const struct bench_task_declaration tasks[] = {ENDURING_TASKS};

static const struct bench_mutex_declaration mutexes[] = {{.inherits = 1}};

const struct bench_scenario bench_scenario = {
    .name = "mutex-endurance", BENCH_TASKS(tasks), BENCH_MUTEXES(mutexes)};
