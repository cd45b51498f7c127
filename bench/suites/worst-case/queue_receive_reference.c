// SPDX-License-Identifier: MIT
//
// Receives a message of one word, such as the address of a buffer, from a queue that holds it.

enum { WORDS = 1 }; // of a message

#include "queue_receive.h"

WORST_CASE_MESSAGES("queue-receive-reference");
