// SPDX-License-Identifier: MIT
//
// Sends a message of one word, such as the address of a buffer, to a queue that has room.

enum { WORDS = 1 }; // of a message

#include "queue_send.h"

WORST_CASE_MESSAGES("queue-send-reference");
