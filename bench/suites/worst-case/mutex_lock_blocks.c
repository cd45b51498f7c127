// SPDX-License-Identifier: MIT
//
// Wakes a task of higher priority, which locks a mutex that the caller owns, and blocks: the caller
// inherits its priority.
#include "mutex_contended.h"

static void undo(void) {
    unlock();
    lock_again();
}

static void sweeper(void) {
    require_ok(bench_mutex_lock(mutex, BENCH_NO_WAIT), "a free mutex could not be locked");
    sweep(contend, undo);
}

WORST_CASE_MUTEX_CONTENDED("mutex-lock-blocks");
