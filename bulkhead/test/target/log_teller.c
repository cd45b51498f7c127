// SPDX-License-Identifier: MIT
//
// The process of the log test that tells the truth (log.c).
#include "log.h"
#include "report.h"

enum { OWN_WORDS = 14 };

static volatile uint32_t own[OWN_WORDS]; // zero at each start, unlike the log after it

void quick_main(void);
void slow_main(void);

// Interrupts the other thread at each tick, wherever that is.
void quick_main(void) {
    for (uint32_t i = 0; i < QUICK_ENTRIES; i++) {
        bulkhead_delay(1);
        BULKHEAD_LOG(LOG_TELLER, "quick %u of %u", i, QUICK_ENTRIES);
    }
    (void)bulkhead_semaphore_give(SEMAPHORE_TOLD);
    (void)bulkhead_notification_wait(BULKHEAD_FOREVER);
}

// The first start ends with a fault, at the first entry. The log has its entry afterwards.
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
