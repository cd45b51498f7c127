// SPDX-License-Identifier: MIT
//
// Shared by the proofs of the order of waiters: three tasks wait for one object. The task of
// highest priority arrives last. With order `priority` it is served first, and then the other two,
// which have one priority, as they arrived; with `fifo` all are served as they arrived.
#ifndef CONFORMANCE_WAITERS_H
#define CONFORMANCE_WAITERS_H

#include "conformance.h"

enum { priority, fifo }; // values of PARAM_ORDER
enum { WAITERS = 3, LATEST = WAITERS - 1 };

static volatile unsigned arrived[WAITERS], arrivals, served[WAITERS], services;

// Waits for the object, once, and records it when served. Each including file defines it.
static void wait_for_object(unsigned self);

static inline void record_service(unsigned self) {
    served[services++] = self;
}

static void wait_once(unsigned self) {
    arrived[arrivals++] = self;
    wait_for_object(self);
    for (;;) {
        bench_task_delay(1000);
    }
}

static void equal_0(void) {
    wait_once(0);
}

static void equal_1(void) {
    wait_once(1);
}

static void highest(void) {
    bench_task_delay(1);
    wait_once(LATEST);
}

static void require_all_wait(void) {
    BENCH_REQUIRE(arrivals == WAITERS, "start: a higher task did not run before a lower one");
    BENCH_REQUIRE(arrived[LATEST] == LATEST, "delay: a task did not sleep");
    BENCH_REQUIRE(services == 0, "a wait ended before the object was available");
}

static void require_order(void) {
    const char *const reason = PARAM_ORDER == priority
                                   ? "waiters not served by priority, FIFO among equals"
                                   : "waiters not served in the order in which they arrived";
    BENCH_REQUIRE(services == WAITERS, reason);
    for (unsigned i = 0; i < WAITERS; i++) {
        const unsigned place = PARAM_ORDER == priority ? (i + LATEST) % WAITERS : i;
        BENCH_REQUIRE(served[i] == arrived[place], reason);
    }
}

#define WAITING_TASKS \
    TASK(equal_0, 8, BENCH_READY), TASK(equal_1, 8, BENCH_READY), TASK(highest, 6, BENCH_READY)

#endif
