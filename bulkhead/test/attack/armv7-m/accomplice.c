// SPDX-License-Identifier: MIT
//
// Another thread of the attacker's process, which forges the exception frame of a waiting thread.
// The frame lies at the end of its place.
#include "order.h"
#include <bulkhead/bulkhead.h>

void accomplice_main(void);
void accomplice_main(void) {
    for (;;) {
        bulkhead_notification_wait(BULKHEAD_FOREVER);
        volatile uint32_t *frame = order.machine.beyond - FRAME_WORDS;
        for (uint32_t i = 0; i < FRAME_WORDS; i++) {
            frame[i] ^= order.registers[i];
        }
    }
}
