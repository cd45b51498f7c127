// SPDX-License-Identifier: MIT
//
// The clock for lilos's tick. lilos has 1000 ticks in a second of this clock, and no option for
// another number. A clock that is stated so that 1000 ticks take as long as wanted gives the tick
// of the run, as for every kernel.
#include <stdint.h>

enum { TICKS_OF_CRATE = 1000 };

extern const uint32_t LILOS_CLOCK_HZ;
const uint32_t LILOS_CLOCK_HZ = BENCH_TIMER_HZ / BENCH_TICK_HZ * TICKS_OF_CRATE;
