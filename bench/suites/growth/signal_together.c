// SPDX-License-Identifier: MIT
//
// The working nodes are a ring: the task of each gives a semaphore to the next node and takes its
// own, which the node before gives. The span contains both calls and the wait between them: the
// cost of one step of the ring while all nodes signal. A node that works alone signals itself.
//
// A lost signal stops the ring. A signal too many lets a node overtake the node before it, which is
// checked in every CHECKED rounds, because the check itself uses the bus.
#include "growth.h"

enum { CHECKED = 16 };

static void step(void) {
    const uint32_t place = bench_node_self() - FIRST_WORKING;
    const struct bench_semaphore own = {place}, next = {(place + 1) % WORKING};
    volatile uint32_t *rounds = start_words() + PARAM_NODES; // after those
    const uint32_t before = (place + WORKING - 1) % WORKING;
    start_together();
    for (uint32_t round = 1;; round++) {
        if (round % CHECKED == 0) {
            rounds[place] = round;
        }
        BENCH_MARK("give.before");
        const enum bench_status given = bench_semaphore_give(next);
        const enum bench_status taken = bench_semaphore_take(own, BENCH_FOREVER);
        BENCH_MARK("take.after");
        REQUIRE_OK(given, "give failed");
        REQUIRE_OK(taken, "take failed");
        BENCH_REQUIRE(round % CHECKED != 0 || rounds[before] >= round,
                      "a signal came that the node before did not give");
    }
}

#define ON(node) TASK_ON(node, step, LOW_PRIORITY)

static const struct bench_task_declaration tasks[] = {STARTER, ON_EACH_WORKING_NODE(ON)};
static const struct bench_semaphore_declaration semaphores[WORKING];

const struct bench_scenario bench_scenario = {
    .name = "signal-together",
    WITH_STARTER(tasks, 1),
    BENCH_SEMAPHORES(semaphores),
};
