// SPDX-License-Identifier: MIT
//
// A driver process: a thread for a device that holds its line, and a thread for a line that
// software pends.
#include "driven.h"
#include "attempts.h"
#include "device.h"
#include "handles.h"
#include <bulkhead/bulkhead.h>

// An interrupt comes after three ticks, before a timeout of four ticks. That timeout must not end
// the next wait, which is for ever.
enum { PERIOD_CYCLES = 100, TIMEOUT_TICKS = 4 };

volatile struct driven driven;

void levels_main(void);
void levels_main(void) {
    device_stop(); // the device may have run on during the restart
    bulkhead_interrupt_wait(INTERRUPT_TIMER, BULKHEAD_NO_WAIT);
    device_start(PERIOD_CYCLES);
    for (;;) {
        const bool is_in_time = driven.timers % 2 == 0;
        bulkhead_interrupt_wait(INTERRUPT_TIMER, is_in_time ? TIMEOUT_TICKS : BULKHEAD_FOREVER);
        if (device_interrupts()) {
            driven.timers++;
            device_acknowledge();
        } else {
            driven.spurious++;
        }
    }
}

void edges_main(void);
void edges_main(void) {
    bulkhead_interrupt_acknowledge(INTERRUPT_REQUEST);
    for (;;) {
        bulkhead_notification_wait(BULKHEAD_FOREVER);
        driven.edges++;
        if (driven.crashes) {
            run_undefined(0);
        }
        if (driven.holds) {
            bulkhead_notification_wait(BULKHEAD_FOREVER);
        }
        bulkhead_interrupt_acknowledge(INTERRUPT_REQUEST);
    }
}
