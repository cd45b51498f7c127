// SPDX-License-Identifier: MIT
//
// The process of the test `log` (log.c) that writes correct log entries.
#include "log.h"
#include "report.h"

enum { OWN_WORDS = 14 };

// Zero after each start, unlike the log, which lies after it in memory.
static volatile uint32_t own[OWN_WORDS];

void quick_main(void);
void slow_main(void);

// Wakes at each tick and so interrupts the other thread at an arbitrary instruction.
void quick_main(void) {
    for (uint32_t i = 0; i < QUICK_ENTRIES; i++) {
        bulkhead_delay(1);
        BULKHEAD_LOG(LOG_TELLER, "quick %u of %u", i, QUICK_ENTRIES);
    }
    (void)bulkhead_semaphore_give(SEMAPHORE_TOLD);
    (void)bulkhead_notification_wait(BULKHEAD_FOREVER);
}

// In the first start of the process, this thread writes one entry and faults. The log must still
// have that entry after the restart.
void slow_main(void) {
    for (uint32_t i = 0; i < OWN_WORDS; i++) {
        require(own[i] == 0, "the log reaches into data, or a restart loads no memory");
        own[i] = UINT32_MAX;
    }
    starts++;
    BULKHEAD_LOG(LOG_TELLER, "start %d, 100 %%, %x %c", -(int32_t)starts, 0xBEEF, 'z');
    if (starts < TELLER_STARTS) {
        *(volatile uint32_t *)(uintptr_t)&bulkhead_page = 0;
    }
    for (uint32_t i = 0; i < SLOW_ENTRIES; i++) {
        BULKHEAD_LOG(LOG_TELLER, "slow %u", i);
        for (volatile uint32_t spin = 0; spin < 20; spin++) {
        }
    }
    (void)bulkhead_semaphore_give(SEMAPHORE_TOLD);
    (void)bulkhead_notification_wait(BULKHEAD_FOREVER);
}
