// SPDX-License-Identifier: MIT
//
// Schedules the next tick, for vectors.S.
#include <arch/tick.h>

void next_tick(void);
void next_tick(void) {
    arch_tick_next();
}
