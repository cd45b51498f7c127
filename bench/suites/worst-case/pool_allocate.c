// SPDX-License-Identifier: MIT
//
// A block of 128 bytes is taken from a pool.
#include "pool.h"

static void sweeper(void) {
    sweep(allocate, release);
}

WORST_CASE_POOL("pool-allocate");
