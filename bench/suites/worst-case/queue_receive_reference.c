// SPDX-License-Identifier: MIT
//
// Receives a message of one word, such as the address of a buffer, from a queue that holds it.

enum { WORDS = 1 }; // of a message

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

WORST_CASE_MESSAGES("queue-receive-reference");
