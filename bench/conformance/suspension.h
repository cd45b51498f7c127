// SPDX-License-Identifier: MIT
//
// A high task, declared as suspended. Each time it is resumed, it adds 1 to a counter and suspends
// itself. Each including file defines the low task, which resumes or suspends the high task.
#ifndef SUSPENSION_H
#define SUSPENSION_H

#include "conformance.h"

enum { HIGH, LOW };

static const struct bench_task high = {HIGH};
static volatile unsigned passes;

static void high_task(void) {
    for (;;) {
        passes++;
        REQUIRE_OK(bench_task_suspend(high), "suspend: a task could not suspend itself");
    }
}

static void low_task(void);

static const struct bench_task_declaration tasks[] = {
    [HIGH] = TASK(high_task, 5, BENCH_SUSPENDED),
    [LOW] = TASK(low_task, 10, BENCH_READY),
};

#endif
