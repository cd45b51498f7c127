// SPDX-License-Identifier: MIT
//
// Sends a message of 16 bytes to a queue that has room.

enum { WORDS = 4 }; // of a message

#include "queue_send.h"

WORST_CASE_MESSAGES("queue-send");
