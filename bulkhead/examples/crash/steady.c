// SPDX-License-Identifier: MIT
//
// The process that survives. The kernel notifies it of each crash of the other process, `faulty`.
#include <bulkhead/bulkhead.h>
#include <console.h>

enum { ENOUGH = 3 };

void steady_main(void);
void steady_main(void) {
    for (uint32_t crashes = 1; crashes <= ENOUGH; crashes++) {
        (void)bulkhead_notification_wait(BULKHEAD_FOREVER);
        console_write("steady: crash ");
        console_write_number(crashes);
        console_write(" survived\n");
    }
    console_end();
}
