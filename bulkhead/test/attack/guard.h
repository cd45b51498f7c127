// SPDX-License-Identifier: MIT
//
// Two threads, guard and keeper, must not notice the attack. This file has the results that they
// leave for the witness, and the value that they keep secret.
#ifndef GUARD_H
#define GUARD_H

#define SECRET 0x5EC2E700

#ifndef __ASSEMBLER__
#include <stdint.h>

extern volatile uint32_t guard_wrong, keeper_wrong; // number of changed registers
extern volatile uint32_t guard_visits, keeper_rounds;
extern volatile uint32_t guard_late_counts; // maximum
extern volatile uint32_t guard_earliest;    // the clock at the tick that was served soonest

enum { GUARD_PERIOD_COUNTS = BULKHEAD_TICK_CYCLES }; // the guard's clock has the tick's period
#endif

#endif
