// SPDX-License-Identifier: MIT
//
// The guard (guard.c) and the keeper (keeper.c) are two threads that no attack may disturb. This
// file has the results that they leave for the witness, and the secret value that they keep in
// their registers.
#ifndef GUARD_H
#define GUARD_H

#define SECRET 0x5EC2E700

#ifndef __ASSEMBLER__
#include <stdint.h>

extern volatile uint32_t guard_wrong, keeper_wrong; // number of changed registers
extern volatile uint32_t guard_visits, keeper_rounds;
extern volatile uint32_t guard_late_counts; // longest delay of the guard, in counts of its clock
extern volatile uint32_t guard_earliest;    // the guard's clock at the tick with the shortest delay

enum { GUARD_PERIOD_COUNTS = BULKHEAD_TICK_CYCLES }; // the guard's clock has the tick's period
#endif

#endif
