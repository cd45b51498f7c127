// SPDX-License-Identifier: MIT
//
// A guest with a timer that interrupts all kinds of work, with a period that shifts against the
// work, with calls in between, and with Thumb functions.
#include "guest.h"

static volatile uint32_t ticks, results[8];

void trap(uint32_t vector) {
    TRAPPED();
    if (vector == SUPERVISOR_CALL) {
        return;
    }
    uint32_t acknowledged = GICC_IAR;
    ticks++;
    set_timer(2 + ticks % 5);
    GICC_EOIR = acknowledged;
    BENCH_MARK("ticked");
}

__attribute__((noinline)) static uint32_t sum(uint32_t n) {
    return n ? n + sum(n - 1) : 0;
}

__attribute__((noinline, target("thumb"))) static uint32_t thumb_sum(uint32_t n) {
    return n ? n + (n % 2 ? thumb_sum(n - 1) : sum(n - 1)) : 0;
}

static uint32_t (*volatile summing[2])(uint32_t) = {sum, thumb_sum};

void guest(void) {
    enable_interrupts();
    set_timer(2);
    UNMASK();
    while (ticks < 200) {
        results[ticks % 8] = summing[ticks % 2](ticks % 5) / (1 + ticks);
        CALL();
        BENCH_MARK("worked");
    }
    MASK();
    stop_timer();
}
