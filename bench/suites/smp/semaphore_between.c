// SPDX-License-Identifier: MIT
//
// The first node's task gives a semaphore, which wakes the second node's task, and takes another
// one, which that task gives back. The span runs from before the give to the return of the take:
// two wakes of waiting tasks, which are tasks of the other node unless both are on one.
#include "round_trip.h"

static inline enum bench_status wake_other(void) {
    return bench_semaphore_give(there);
}

const struct bench_scenario bench_scenario = {
    .name = "semaphore-between",
    BENCH_TASKS(tasks),
    BENCH_SEMAPHORES(semaphores),
};
