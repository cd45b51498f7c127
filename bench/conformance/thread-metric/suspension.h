// SPDX-License-Identifier: MIT
//
// A high thread, created suspended. Each time it is resumed, it adds 1 to a counter and suspends
// itself. Each including file defines the low thread, which resumes the high thread.
#ifndef TM_SUSPENSION_H
#define TM_SUSPENSION_H

#include "tm_conformance.h"

enum { HIGH, LOW, ROUNDS = 3 };

static volatile unsigned passes;

static void high(void) {
    for (;;) {
        passes++;
        REQUIRE_SUCCESS(tm_thread_suspend(HIGH), "suspend: a thread could not suspend itself");
    }
}

static void low(void);

static inline void require_pass(unsigned round) {
    BENCH_REQUIRE(passes >= round, "resume: a higher thread did not pre-empt at once");
    BENCH_REQUIRE(passes == round, "suspend: a thread kept running after it suspended itself");
}

static const struct bench_task_declaration tasks[] = {
    [HIGH] = TASK(high, 5, BENCH_SUSPENDED),
    [LOW] = TASK(low, 10, BENCH_READY),
};

#endif
