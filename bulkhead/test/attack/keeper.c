// SPDX-License-Identifier: MIT
//
// The lowest thread: runs when nobody else does, stopped anywhere, and finds its registers as it
// left them (keeper_main.S). What the witness asks of it lies here, in its own memory.
#include "guard.h"

volatile uint32_t keeper_wrong, keeper_rounds;
