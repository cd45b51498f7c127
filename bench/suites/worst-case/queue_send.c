// SPDX-License-Identifier: MIT
//
// Sends a message of 16 bytes to a queue that has room. The received words must equal the sent
// ones: an interrupt during the copy must not change them.

enum { WORDS = 4 }; // of a message

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

WORST_CASE_MESSAGES("queue-send");
