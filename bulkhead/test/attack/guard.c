// SPDX-License-Identifier: MIT
//
// The highest thread: it comes with each tick, whoever runs, and looks how late it is. Its clock
// has the tick's period, so that at each tick it stands at the same value, and higher with each
// count of delay. While it sleeps its registers hold secrets (guard_sleep.S).
#include "guard.h"
#include <machine_guard.h>

volatile uint32_t guard_wrong, guard_visits, guard_late_counts;

// Returns how many registers had changed.
uint32_t guard_sleep(void);

void guard_main(void);
void guard_main(void) {
    guard_sleep();
    uint32_t earliest = machine_clock();
    for (;;) {
        guard_wrong += guard_sleep();
        const uint32_t now = machine_clock();
        uint32_t late = (now + GUARD_PERIOD_COUNTS - earliest) % GUARD_PERIOD_COUNTS;
        if (late > GUARD_PERIOD_COUNTS / 2) { // earlier than ever before
            guard_late_counts += GUARD_PERIOD_COUNTS - late;
            earliest = now;
            late = 0;
        }
        guard_late_counts = late > guard_late_counts ? late : guard_late_counts;
        guard_visits++;
    }
}
