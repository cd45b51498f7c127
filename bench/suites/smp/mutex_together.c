// SPDX-License-Identifier: MIT
//
// The working nodes compete for a mutex: ../growth/lock_together.h.
#include "../growth/lock_together.h"

static inline enum bench_status take(void) {
    return bench_mutex_lock((struct bench_mutex){0}, BENCH_FOREVER);
}

static inline enum bench_status give(void) {
    return bench_mutex_unlock((struct bench_mutex){0});
}

static const struct bench_mutex_declaration mutexes[] = {{.inherits = 1}};

const struct bench_scenario bench_scenario = {
    .name = "mutex-together",
    WITH_STARTER(tasks, 1),
    BENCH_MUTEXES(mutexes),
};
