// SPDX-License-Identifier: MIT
//
// Unlocks a mutex that no task waits for.
#include "mutex.h"

static void sweeper(void) {
    lock();
    sweep(unlock, lock);
}

WORST_CASE_MUTEX("mutex-unlock");
