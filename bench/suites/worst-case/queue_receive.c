// SPDX-License-Identifier: MIT
//
// Receives a message of 16 bytes from a queue that holds it.

enum { WORDS = 4 }; // of a message

#include "queue_receive.h"

WORST_CASE_MESSAGES("queue-receive");
