// SPDX-License-Identifier: MIT
//
// Allocates a block of 128 bytes from a pool.
#include "pool.h"

static void sweeper(void) {
    sweep(allocate, release);
}

WORST_CASE_POOL("pool-allocate");
