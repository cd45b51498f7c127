// SPDX-License-Identifier: MIT
//
// Lets the tick on SysTick skip the interrupts that no thread or timer needs.
//
// SysTick reloads its counter when the counter reaches 0. A long period is therefore requested in
// advance, by the reload value, and begins with the next tick: it is exact and costs nothing. Only
// an interrupt during the long period has to cut it short. Cutting it short rewrites the counter
// and loses the counts between the read and the write: the ticks that follow are late by a few
// cycles, but no tick is lost.
//
// All functions run in exceptions of one priority, so no code sees a half-changed state. The
// counter of SysTick continues meanwhile.
//
// Source: Armv7-M Architecture Reference Manual (DDI 0403E) B3.3 SysTick.
#include "kernel.h"

#define SYSTICK_RELOAD (*(volatile uint32_t *)0xE000E014u)
#define SYSTICK_CURRENT (*(volatile uint32_t *)0xE000E018u)
#define SYSTICK_COUNTS (1u << 24)

// If fewer cycles than this are left before a tick, the counter cannot be rewritten in time, so
// that tick is counted at once.
enum { SOON_CYCLES = 64 };

static struct {
    uint32_t period_cycles; // cycles of one tick
    uint32_t ticks;         // ticks in the long period; 0 if there is no long period
    bool begun;             // the long period has begun; otherwise the next tick begins it
} deferral;

void arch_tick_defer(uint32_t ticks) {
    if (deferral.ticks != 0) {
        return;
    }
    deferral.period_cycles = SYSTICK_RELOAD + 1;
    const uint32_t most = SYSTICK_COUNTS / deferral.period_cycles;
    const uint32_t wanted = ticks - 1 < most ? ticks - 1 : most;
    if (wanted > 1) {
        deferral.ticks = wanted;
        deferral.begun = false;
        SYSTICK_RELOAD = wanted * deferral.period_cycles - 1;
    }
}

// Makes the next tick come after `cycles`. The counter reloads one count after the write, and has
// the period of a tick from then on.
static void rewrite_counter(uint32_t cycles) {
    SYSTICK_RELOAD = cycles - 1;
    SYSTICK_CURRENT = 0;
    while (SYSTICK_CURRENT == 0) {
    }
    SYSTICK_RELOAD = deferral.period_cycles - 1;
}

// Ends the long period and returns the number of ticks that have passed. The long period may have
// begun although the tick that begins it is still pending: the value of the counter shows this.
static uint32_t cut_short(void) {
    SYSTICK_RELOAD = deferral.period_cycles - 1;
    const uint32_t left_cycles = SYSTICK_CURRENT;
    uint32_t left_ticks = left_cycles / deferral.period_cycles;
    uint32_t rest_cycles = left_cycles % deferral.period_cycles;
    if (left_ticks == 0) {
        return deferral.begun ? deferral.ticks - 1 : 0;
    }
    if (rest_cycles < SOON_CYCLES) {
        left_ticks--;
        rest_cycles += deferral.period_cycles;
    }
    rewrite_counter(rest_cycles);
    return deferral.ticks - 1 - left_ticks;
}

uint32_t arch_tick_resume(void) {
    if (deferral.ticks == 0) {
        return 0;
    }
    const uint32_t passed = cut_short();
    deferral.ticks = 0;
    return passed;
}

// Begins the long period at its first tick. A tick that was already pending when the period was
// requested did not begin it. Returns the number of ticks that have passed, which is 1.
static uint32_t begin(void) {
    deferral.begun = true;
    SYSTICK_RELOAD = deferral.period_cycles - 1;
    if (SYSTICK_CURRENT <= deferral.period_cycles) {
        deferral.ticks = 0;
    }
    return 1;
}

uint32_t arch_tick_passed(void) {
    const uint32_t ticks = deferral.ticks;
    if (ticks != 0 && !deferral.begun) {
        return begin();
    }
    deferral.ticks = 0;
    return ticks != 0 ? ticks : 1;
}
