// SPDX-License-Identifier: MIT
//
// The working nodes compete for a semaphore with a count of 1: lock_together.h.
#include "lock_together.h"

static inline enum bench_status take(void) {
    return bench_semaphore_take((struct bench_semaphore){0}, BENCH_FOREVER);
}

static inline enum bench_status give(void) {
    return bench_semaphore_give((struct bench_semaphore){0});
}

static const struct bench_semaphore_declaration semaphores[] = {{.initial = 1, .maximum = 1}};

const struct bench_scenario bench_scenario = {
    .name = "lock-together",
    WITH_STARTER(tasks, 1),
    BENCH_SEMAPHORES(semaphores),
};
