// SPDX-License-Identifier: MIT
//
// A free mutex is locked.
#include "mutex.h"

static void sweeper(void) {
    sweep(lock, unlock);
}

WORST_CASE_MUTEX("mutex-lock");
