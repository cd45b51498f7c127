// SPDX-License-Identifier: MIT
//
// Another thread of the attacker's process. While the attacker waits in a system call, this thread
// changes the exception frame that the processor has pushed to the attacker's stack. The frame is
// at the end of `place` (machine_order.h).
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
