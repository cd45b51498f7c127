// SPDX-License-Identifier: MIT
//
// The driver process of driver.c. One thread serves a device, which holds its interrupt line until
// it is cleared. Another thread serves an interrupt line that software pends.
#include "driven.h"
#include "attempts.h"
#include "device.h"
#include "handles.h"
#include <bulkhead/bulkhead.h>

// The device interrupts after three ticks, before a wait with a timeout of four ticks ends. The
// expired timeout must not end the next wait, which has none.
enum { PERIOD_CYCLES = 100, TIMEOUT_TICKS = 4 };

volatile struct driven driven;

// Waits for the device in each of three ways in turn: with a timeout, for ever, and by an
// acknowledgement before a wait for a notification.
static void wait_for_device(uint32_t round) {
    if (round % 3 == 2) {
        bulkhead_interrupt_acknowledge(INTERRUPT_TIMER);
        bulkhead_notification_wait(BULKHEAD_FOREVER);
    } else {
        bulkhead_interrupt_wait(INTERRUPT_TIMER, round % 3 == 0 ? TIMEOUT_TICKS : BULKHEAD_FOREVER);
    }
}

void levels_main(void);
void levels_main(void) {
    device_stop(); // the device is not reset when the process restarts, so it may still run
    bulkhead_interrupt_wait(INTERRUPT_TIMER, BULKHEAD_NO_WAIT);
    device_start(PERIOD_CYCLES);
    for (;;) {
        wait_for_device(driven.timers);
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
