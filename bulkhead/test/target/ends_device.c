// SPDX-License-Identifier: MIT
//
// The driver of the test `ends` (ends.c): a device interrupts at arbitrary times, and this thread
// measures the delay from the interrupt to its own start.
#include "device_wait.h"
#include "ends.h"
#include "report.h"

// The limit of interrupts during one termination: with more, the termination does not make
// progress.
enum { INTERRUPTS_AT_MOST = 2000 };

void device_main(void);
void device_main(void) {
    device_start(DEVICE_PERIOD_CYCLES);
    for (;;) {
        const uint32_t late_cycles = device_wait();
        const uint32_t at_least = DEVICE_PERIOD_CYCLES << ledger.is_rare * 3;
        device_change(at_least + random_below(at_least));
        if (late_cycles > ledger.latest_cycles) {
            ledger.latest_cycles = late_cycles;
        }
        require(++ledger.interrupts < INTERRUPTS_AT_MOST, "an end has no end");
        bulkhead_notify(THREAD_MIDDLE);
        if (ledger.is_awaited && ledger.falls_left != 0) {
            ledger.falls_left--;
            bulkhead_notify(THREAD_F30);
        }
        if (ledger.meddling != NOT_AT_ALL) {
            bulkhead_notify(THREAD_MEDDLER);
        }
    }
}
