// SPDX-License-Identifier: MIT
//
// A process of restart.c with so much memory that its restart takes some ticks.
#include "restart.h"
#include <bulkhead/bulkhead.h>

enum { WORDS = 0xE000 };

static volatile uint32_t memory[WORDS];

void slow_main_entry(void);
void slow_main_entry(void) {
    for (uint32_t i = 0; i < WORDS; i += 0x100) {
        memory[i] = 1;
    }
    while (ledger.slow_crashes == 0) {
        bulkhead_delay(1);
    }
    ledger.slow_crashes--;
    *(volatile uint32_t *)0xFFFFFFF0u = 0;
}
