// SPDX-License-Identifier: MIT
//
// States the clock frequency for lilos's tick. lilos always makes 1000 ticks a second of this
// clock, but the run may want another tick rate. So this file states a scaled frequency, with which
// lilos's tick gets the rate of the run.
#include <stdint.h>

enum { TICKS_OF_CRATE = 1000 };

extern const uint32_t LILOS_CLOCK_HZ;
const uint32_t LILOS_CLOCK_HZ = BENCH_TIMER_HZ / BENCH_TICK_HZ * TICKS_OF_CRATE;
