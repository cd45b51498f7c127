// SPDX-License-Identifier: MIT
//
// A high task of the second process writes to constants, which no process may write. The kernel
// restarts the task's process, and the first process continues.
//
// Each including file chooses how the faulty task starts: suspended, so that the task that resumed
// it runs next; or ready, so that the restarted task itself runs next.
#ifndef FAULT_H
#define FAULT_H

#include "isolation.h"

enum { FAULTY, SURVIVOR };

static const struct bench_task faulty_task = {FAULTY};
static volatile uint32_t provoked;

static inline _Noreturn void provoke_fault(void) {
    volatile uint32_t *const constant = (volatile uint32_t *)(uintptr_t)&bench_scenario;
    provoked++;
    BENCH_MARK("fault");
    *constant = 0;
    bench_fail("isolation: a write to constants was allowed");
}

static inline void require_report(void) {
    BENCH_REQUIRE(bench_process_faults(SECOND) == provoked,
                  "fault: a fault was not reported exactly once");
    BENCH_REQUIRE(bench_process_faults(SECOND) != 0, "fault: no fault was provoked");
}

#endif
