// SPDX-License-Identifier: MIT
//
// Receives a message of WORDS words from a queue that holds it. The received words must equal the
// sent ones: an interrupt during the copy must not change them.
#ifndef WORST_CASE_QUEUE_RECEIVE_H
#define WORST_CASE_QUEUE_RECEIVE_H

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

#endif
