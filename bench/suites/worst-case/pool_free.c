// SPDX-License-Identifier: MIT
//
// Frees a block of 128 bytes of a pool.
#include "pool.h"

static void sweeper(void) {
    allocate();
    sweep(release, allocate);
}

WORST_CASE_POOL("pool-free");
