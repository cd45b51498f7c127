// SPDX-License-Identifier: MIT
//
// Locks a free mutex.
#include "mutex.h"

static void sweeper(void) {
    sweep(lock, unlock);
}

WORST_CASE_MUTEX("mutex-lock");
