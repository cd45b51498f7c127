// SPDX-License-Identifier: MIT
//
// The driver: an ordinary, unprivileged thread. While it works, its interrupt line is masked. The
// call that waits for the next interrupt unmasks the line.
#include "sample.h"
#include <bulkhead/bulkhead.h>
#include <handles.h>

#define TIMER_CTRL (*(volatile uint32_t *)0x40000000u)
#define TIMER_VALUE (*(volatile uint32_t *)0x40000004u)
#define TIMER_RELOAD (*(volatile uint32_t *)0x40000008u)
#define TIMER_INTCLEAR (*(volatile uint32_t *)0x4000000Cu)

enum { RUN_INTERRUPTING = 9, PERIOD_CYCLES = 25000 };

static struct sample sample;

void driver_main(void);
void driver_main(void) {
    TIMER_RELOAD = PERIOD_CYCLES;
    TIMER_VALUE = PERIOD_CYCLES;
    TIMER_CTRL = RUN_INTERRUPTING;
    for (;;) {
        (void)bulkhead_interrupt_wait(INTERRUPT_TIMER, BULKHEAD_FOREVER);
        TIMER_INTCLEAR = 1;
        sample.number++;
        if (bulkhead_queue_send(QUEUE_SAMPLES, &sample, BULKHEAD_NO_WAIT) == BULKHEAD_OK) {
            sample.lost = 0;
        } else {
            sample.lost++;
        }
    }
}
