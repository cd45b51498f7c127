// SPDX-License-Identifier: MIT
//
// Sends a message of WORDS words to a queue that has room. The received words must equal the sent
// ones: an interrupt during the copy must not change them.
#ifndef WORST_CASE_QUEUE_SEND_H
#define WORST_CASE_QUEUE_SEND_H

#include "message.h"

static void service(void) {
    send();
}

static void undo(void) {
    receive();
    verify_and_renew();
}

static void sweeper(void) {
    sweep(service, undo);
}

#endif
