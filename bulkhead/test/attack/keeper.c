// SPDX-License-Identifier: MIT
//
// The lowest thread: runs when no other thread does, is interrupted anywhere, and finds its
// registers as it left them (keeper_main.S). Its results for the witness lie here, in its own
// memory.
#include "guard.h"

volatile uint32_t keeper_wrong, keeper_rounds;
