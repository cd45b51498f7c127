// SPDX-License-Identifier: MIT
//
// A mutex is unlocked that nobody waits for.
#include "mutex.h"

static void sweeper(void) {
    lock();
    sweep(unlock, lock);
}

WORST_CASE_MUTEX("mutex-unlock");
