// SPDX-License-Identifier: MIT
//
// A thread of the attack test that ends an attempt which does not end by itself: it checks at each
// tick whether the judge has continued. While an attempt is in progress, `progress` is odd.
#include "handles.h"
#include <bulkhead/bulkhead.h>

enum { PATIENCE_TICKS = 2 };

volatile uint32_t progress, impatient;

void watch_main(void);
void watch_main(void) {
    uint32_t last = 0, since = 0;
    for (;;) {
        bulkhead_delay(1);
        since = progress == last && last % 2 != 0 ? since + 1 : 0;
        last = progress;
        if (since >= PATIENCE_TICKS) {
            impatient = 1;
            bulkhead_notify(THREAD_FUSE);
            since = 0;
        }
    }
}
