// SPDX-License-Identifier: MIT
//
// Two senders. Each is in its own process and has no memory except its stack.
#include "mail.h"

static _Noreturn void produce(uint32_t sender) {
    for (uint32_t number = 0;; number++) {
        const struct message message = {sender, number, ~number};
        if (mail_send(&message) != BULKHEAD_OK) {
            bulkhead_exit();
        }
    }
}

void left_main(void);
void left_main(void) {
    produce(0);
}

void right_main(void);
void right_main(void) {
    produce(1);
}
