// SPDX-License-Identifier: MIT
//
// A message of 16 bytes is received from a queue that holds it. What is received must be what was
// sent: an interrupt amid the copy may not harm it.
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
