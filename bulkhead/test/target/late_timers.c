// SPDX-License-Identifier: MIT
//
// The process whose timers are late in late.c: periodic timers that all give one semaphore, and a
// thread of low priority that takes it. All timers expire at the same ticks.
#include "handles.h"
#include "late.h"
#include <bulkhead/bulkhead.h>

static void start_timers(void) {
    late.first_tick = bulkhead_ticks();
    late.expired = 0;
    late.misplaced = 0;
    for (uint32_t each = 0; each < late.timers; each++) {
        bulkhead_timer_start(TIMER_T00 + each, PERIOD_TICKS, PERIOD_TICKS);
    }
}

static void take_while_running(void) {
    while (late.timers != 0) {
        if (bulkhead_semaphore_take(SEMAPHORE_EXPIRED, 2 * PERIOD_TICKS) == BULKHEAD_OK) {
            late.expired++;
            late.misplaced += (bulkhead_ticks() - late.first_tick) % PERIOD_TICKS != 0;
        }
    }
}

static void stop_timers(void) {
    for (uint32_t each = 0; each < TIMERS; each++) {
        bulkhead_timer_stop(TIMER_T00 + each);
    }
    while (bulkhead_semaphore_take(SEMAPHORE_EXPIRED, BULKHEAD_NO_WAIT) == BULKHEAD_OK) {
    }
}

void low_main(void);
void low_main(void) {
    for (;;) {
        bulkhead_notification_wait(BULKHEAD_FOREVER);
        start_timers();
        take_while_running();
        stop_timers();
        bulkhead_notify(THREAD_PROVER);
    }
}
