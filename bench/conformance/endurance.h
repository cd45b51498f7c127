// SPDX-License-Identifier: MIT
//
// What the proofs over 100 000 operations share: a low task does its rounds, while every tick wakes
// the highest one, which uses the same object wherever the low task or the kernel was stopped.
#ifndef CONFORMANCE_ENDURANCE_H
#define CONFORMANCE_ENDURANCE_H

#include "conformance.h"

// Two operations a round.
enum { ROUNDS = 50000, ROUNDS_A_MARK = 1000 };

// Each file's own.
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
