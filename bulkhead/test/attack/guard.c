// SPDX-License-Identifier: MIT
//
// The highest thread: it comes with each tick, whoever runs, and looks how late it is. Its clock
// has the tick's period, so that at each tick it stands at the same value, and lower with each
// count of delay. While it sleeps its registers hold secrets (guard_sleep.S).
#include "guard.h"
#include <stdint.h>

// CMSDK APB timer (DDI 0479, 4.2): counts down from GUARD_PERIOD_COUNTS - 1, which the build gives.
#define TIMER_VALUE (*(volatile uint32_t *)0x40000004u)

volatile uint32_t guard_wrong, guard_visits, guard_late_counts;

// Returns how many registers had changed.
uint32_t guard_sleep(void);

void guard_main(void);
void guard_main(void) {
    guard_sleep();
    uint32_t earliest = TIMER_VALUE;
    for (;;) {
        guard_wrong += guard_sleep();
        const uint32_t now = TIMER_VALUE;
        uint32_t late = (earliest + GUARD_PERIOD_COUNTS - now) % GUARD_PERIOD_COUNTS;
        if (late > GUARD_PERIOD_COUNTS / 2) { // earlier than ever before
            guard_late_counts += GUARD_PERIOD_COUNTS - late;
            earliest = now;
            late = 0;
        }
        guard_late_counts = late > guard_late_counts ? late : guard_late_counts;
        guard_visits++;
    }
}
