// SPDX-License-Identifier: MIT
//
// Sets the clock of the board, before the ring of marks starts.
#include "../../devices/stm32l4_clock.h"

__attribute__((constructor(101))) static void set_clock(void) {
    stm32l4_set_clock();
}
