// SPDX-License-Identifier: MIT
//
// A driver process: a thread for a device that holds its line, and one for a line that software
// requests.
//
// Source: Arm Cortex-M System Design Kit (DDI 0479) 4.3, APB timer.
#include "driven.h"
#include "handles.h"
#include <bulkhead/bulkhead.h>

#define TIMER_CTRL (*(volatile uint32_t *)0x40000000u)
#define TIMER_VALUE (*(volatile uint32_t *)0x40000004u)
#define TIMER_RELOAD (*(volatile uint32_t *)0x40000008u)
#define TIMER_INTCLEAR (*(volatile uint32_t *)0x4000000Cu) // reads as whether it interrupts

enum { TIMER_RUN = 9, PERIOD = 100 }; // enabled and interrupting; in cycles of the timer's clock

volatile struct driven driven;

void levels_main(void);
void levels_main(void) {
    TIMER_RELOAD = PERIOD;
    TIMER_VALUE = PERIOD;
    TIMER_CTRL = TIMER_RUN;
    for (;;) {
        bulkhead_interrupt_wait(INTERRUPT_TIMER, BULKHEAD_FOREVER);
        if (TIMER_INTCLEAR == 0) {
            driven.spurious++;
        } else {
            driven.timers++;
            TIMER_INTCLEAR = 1;
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
            __asm__ volatile("udf #0");
        }
        if (driven.holds) {
            bulkhead_notification_wait(BULKHEAD_FOREVER);
        }
        bulkhead_interrupt_acknowledge(INTERRUPT_REQUEST);
    }
}
