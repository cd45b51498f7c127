// SPDX-License-Identifier: MIT
//
// The guard, the thread of the highest priority: it wakes at each tick, whichever thread runs, and
// measures its delay after the tick. Its clock has the period of the tick, so without a delay it
// has the same value at each tick, and each count of delay raises the value by one. The guard's
// registers hold secrets while it sleeps (guard_sleep.S).
#include "guard.h"
#include <machine_guard.h>

volatile uint32_t guard_wrong, guard_visits, guard_late_counts, guard_earliest;

// Returns the number of registers that changed.
uint32_t guard_sleep(void);

void guard_main(void);
void guard_main(void) {
    guard_sleep();
    guard_earliest = machine_clock();
    for (;;) {
        guard_wrong += guard_sleep();
        const uint32_t now = machine_clock();
        uint32_t late = (now + GUARD_PERIOD_COUNTS - guard_earliest) % GUARD_PERIOD_COUNTS;
        // The guard runs earlier after this tick than after any earlier tick.
        if (late > GUARD_PERIOD_COUNTS / 2) {
            guard_late_counts += GUARD_PERIOD_COUNTS - late;
            guard_earliest = now;
            late = 0;
        }
        guard_late_counts = late > guard_late_counts ? late : guard_late_counts;
        guard_visits++;
    }
}
