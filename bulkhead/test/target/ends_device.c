// SPDX-License-Identifier: MIT
//
// The driver of the ends test: interrupts come wherever they do, and it says how late it began.
#include "device.h"
#include "ends.h"
#include "handles.h"
#include "report.h"
#include <bulkhead/short.h>

// More of them have no end between.
enum { INTERRUPTS_AT_MOST = 2000 };

static uint32_t state = 1;

static uint32_t random_below(uint32_t bound) {
    state = state * 1664525u + 1013904223u;
    return (state >> 16) % bound;
}

void device_main(void);
void device_main(void) {
    device_start(DEVICE_PERIOD_CYCLES);
    for (;;) {
        bh_interrupt_wait(INTERRUPT_DEVICE, BULKHEAD_FOREVER);
        const uint32_t late_cycles = device_late_cycles();
        device_acknowledge();
        const uint32_t at_least = DEVICE_PERIOD_CYCLES << ledger.is_rare * 3;
        device_change(at_least + random_below(at_least));
        if (late_cycles > ledger.latest_cycles) {
            ledger.latest_cycles = late_cycles;
        }
        require(++ledger.interrupts < INTERRUPTS_AT_MOST, "an end has no end");
        bh_notify(THREAD_MIDDLE);
        if (ledger.is_meddled) {
            bh_notify(THREAD_MEDDLER);
        }
    }
}
