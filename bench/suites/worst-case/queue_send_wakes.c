// SPDX-License-Identifier: MIT
//
// Sends a message of 16 bytes that higher tasks wait for.

enum { WORDS = 4 }; // of a message

#include "message_wakes.h"

WORST_CASE_MESSAGE_WAKES("queue-send-wakes");
