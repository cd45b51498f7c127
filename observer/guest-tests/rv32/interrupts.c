// SPDX-License-Identifier: MIT
//
// A guest with a timer that interrupts all kinds of work, with a period that shifts against the
// work, and with calls in between.
#include "guest.h"

static volatile uint32_t ticks, results[8];

uint32_t trap(uint32_t cause, uint32_t pc) {
    TRAPPED();
    if (cause == CALL) {
        return pc + 4;
    }
    ticks++;
    TIME_COMPARE_LOW = TIME + 1 + ticks % 3;
    BENCH_MARK("ticked");
    return pc;
}

__attribute__((noinline)) static uint32_t sum(uint32_t n) {
    return n ? n + sum(n - 1) : 0;
}

static uint32_t (*volatile summing)(uint32_t) = sum;

void guest(void) {
    TIME_COMPARE_LOW = TIME + 1;
    TIME_COMPARE_HIGH = 0;
    ENABLE(1 << TIMER);
    UNMASK();
    while (ticks < 200) {
        results[ticks % 8] = summing(ticks % 5) / (1 + ticks);
        SUPERVISOR_CALL();
        BENCH_MARK("worked");
    }
    __asm__ volatile("csrci mstatus, 8");
}
