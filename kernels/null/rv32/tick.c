// SPDX-License-Identifier: MIT
//
// For vectors.S: lets the next tick come.
#include <arch/tick.h>

void next_tick(void);
void next_tick(void) {
    arch_tick_next();
}
