// SPDX-License-Identifier: MIT
//
// Shared by the proofs over 100 000 operations: a low task repeats a round of operations, and every
// tick wakes the highest task, which uses the same object at whatever point the tick interrupted
// the low task or the kernel.
#ifndef CONFORMANCE_ENDURANCE_H
#define CONFORMANCE_ENDURANCE_H

#include "conformance.h"

// Each round consists of two operations.
enum { ROUNDS = 50000, ROUNDS_A_MARK = 1000 };

// A file that includes this header defines these functions.
static void do_round(uint32_t round);
static void interfere(void);
static void require_nothing_lost(void);

static volatile uint32_t interferences;

static void interferer(void) {
    for (;;) {
        bench_task_delay(1);
        interfere();
        interferences++;
    }
}

static void prover(void) {
    BENCH_MARK("begin");
    for (uint32_t round = 0; round < ROUNDS; round++) {
        do_round(round);
        if (round % ROUNDS_A_MARK == 0) {
            BENCH_MARK("alive");
        }
    }
    BENCH_REQUIRE(interferences != 0, "delay: a higher task was not woken by the tick");
    require_nothing_lost();
    proved();
}

#define ENDURING_TASKS TASK(interferer, 3, BENCH_READY), TASK(prover, 10, BENCH_READY)

#endif
