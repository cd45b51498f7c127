// SPDX-License-Identifier: MIT
//
// The keeper, the thread of the lowest priority: it runs when no other thread does, may be
// interrupted at any instruction, and must find its registers unchanged afterwards (keeper_main.S).
// This file defines its results, which the witness reads.
#include "guard.h"

volatile uint32_t keeper_wrong, keeper_rounds;
