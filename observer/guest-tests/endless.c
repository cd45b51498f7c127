// SPDX-License-Identifier: MIT
//
// A guest that hangs.
#include "guest.h"

void guest(void) {
    for (;;) {
        __asm__ volatile("nop");
    }
}
