// SPDX-License-Identifier: MIT
//
// A high task of the second process writes to constants, which are nobody's to write. Its process
// is restarted, and the first process goes on.
//
// A file that includes this one says how the faulty task begins: suspended, and the next to run is
// the task that resumed it; or ready, and it is the restarted one itself.
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
    BENCH_REQUIRE(bench_process_faults(SECOND) == provoked, "fault: not reported, or not once");
    BENCH_REQUIRE(bench_process_faults(SECOND) != 0, "fault: none was provoked");
}

#endif
