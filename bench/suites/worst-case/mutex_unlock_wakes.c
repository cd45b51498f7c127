// SPDX-License-Identifier: MIT
//
// Unlocks a mutex that a task of higher priority waits for: the caller loses the inherited
// priority, and the higher task runs.
#include "mutex_contended.h"

static void undo(void) {
    lock_again();
    contend();
}

static void sweeper(void) {
    require_ok(bench_mutex_lock(mutex, BENCH_NO_WAIT), "a free mutex could not be locked");
    contend();
    sweep(unlock, undo);
}

WORST_CASE_MUTEX_CONTENDED("mutex-unlock-wakes");
