// SPDX-License-Identifier: MIT
//
// The second process of the test `tangle`.
#include "handles.h"
#include "tangle.h"
#include <bulkhead/bulkhead.h>

static const struct tangle_process two = {
    GATE_TWO, GATE_ONE, {THREAD_TWO_SERVER, THREAD_TWO_A, THREAD_TWO_B}};

void two_main(void);
void two_main(void) {
    for (;;) {
        tangle_act(&two);
    }
}

void two_server_main(void);
void two_server_main(void) {
    tangle_serve(&two);
}

void fuse_two_main(void);
void fuse_two_main(void) {
    bulkhead_notification_wait(BULKHEAD_FOREVER);
    __builtin_trap();
}
