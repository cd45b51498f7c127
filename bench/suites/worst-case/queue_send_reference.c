// SPDX-License-Identifier: MIT
//
// Sends a message of one word, such as the address of a buffer, to a queue that has room.

enum { WORDS = 1 }; // of a message

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

WORST_CASE_MESSAGES("queue-send-reference");
