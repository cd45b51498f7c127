// SPDX-License-Identifier: MIT
//
// A guest that executes SVC in a loop. The handler calls functions.
#include "guest.h"

static volatile uint32_t calls;

__attribute__((noinline)) static void count(void) {
    calls++;
}

void SVC_Handler(void) {
    BENCH_MARK("svcall");
    count();
    count();
}

void guest(void) {
    for (int i = 0; i < 10; i++) {
        SUPERVISOR_CALL();
        count();
    }
}
