// SPDX-License-Identifier: MIT
//
// Sends a message of one word, such as the address of a buffer, that higher tasks wait for.

enum { WORDS = 1 }; // of a message

#include "message_wakes.h"

WORST_CASE_MESSAGE_WAKES("queue-send-wakes-reference");
