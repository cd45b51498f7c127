// SPDX-License-Identifier: MIT
//
// What the two that must not notice tell the witness, and their secret.
#ifndef GUARD_H
#define GUARD_H

#define SECRET 0x5EC2E700

#ifndef __ASSEMBLER__
#include <stdint.h>

extern volatile uint32_t guard_wrong, keeper_wrong; // how many registers were not as left
extern volatile uint32_t guard_visits, keeper_rounds;
extern volatile uint32_t guard_late_counts; // at most

enum { GUARD_PERIOD_COUNTS = BULKHEAD_TICK_CYCLES }; // of the guard's clock as of the tick's
#endif

#endif
