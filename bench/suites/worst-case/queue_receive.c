// SPDX-License-Identifier: MIT
//
// Receives a message of 16 bytes from a queue that holds it. The received words must equal the sent
// ones: an interrupt during the copy must not change them.

enum { WORDS = 4 }; // of a message

#include "message.h"

static void service(void) {
    receive();
}

static void undo(void) {
    verify_and_renew();
    send();
}

static void sweeper(void) {
    send();
    sweep(service, undo);
}

WORST_CASE_MESSAGES("queue-receive");
