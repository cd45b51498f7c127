// SPDX-License-Identifier: MIT
//
// A message of 16 bytes is sent to a queue that has room. What is received must be what was sent:
// an interrupt amid the copy may not harm it.
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
