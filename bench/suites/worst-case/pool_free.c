// SPDX-License-Identifier: MIT
//
// A block of 128 bytes is given back to its pool.
#include "pool.h"

static void sweeper(void) {
    allocate();
    sweep(release, allocate);
}

WORST_CASE_POOL("pool-free");
