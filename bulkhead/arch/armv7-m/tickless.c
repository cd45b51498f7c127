// SPDX-License-Identifier: MIT
//
// A tick that leaves out the interrupts which nobody needs, on SysTick.
//
// SysTick reloads its counter when it reaches 0. So a long period is asked for ahead, by the reload
// value, and begins with the next tick: it is exact, and begins at no cost. Only an interrupt
// within it has to cut it short. That rewrites the counter, and the count between reading and
// writing it is lost: the ticks that follow are late by a few cycles, but none is missing.
//
// All of it happens in exceptions of one priority: nothing here is seen half-changed, but SysTick
// itself goes on.
//
// Source: Armv7-M Architecture Reference Manual (DDI 0403E) B3.3 SysTick.
#include "kernel.h"

#define SYSTICK_RELOAD (*(volatile uint32_t *)0xE000E014u)
#define SYSTICK_CURRENT (*(volatile uint32_t *)0xE000E018u)
#define SYSTICK_COUNTS (1u << 24)

// Too few cycles to rewrite the counter in: the tick that they end in is counted at once.
enum { SOON_CYCLES = 64 };

static struct {
    uint32_t period_cycles; // of one tick
    uint32_t ticks;         // in the long period; 0 if there is none
    bool begun;             // it runs; else the next tick begins it
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

// The counter reloads one count after it is written, and the next reload is again that of a tick.
static void rewrite_counter(uint32_t cycles) {
    SYSTICK_RELOAD = cycles - 1;
    SYSTICK_CURRENT = 0;
    while (SYSTICK_CURRENT == 0) {
    }
    SYSTICK_RELOAD = deferral.period_cycles - 1;
}

// A long period may have begun without its tick having been served: then the counter tells.
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

uint32_t arch_tick_undefer(void) {
    if (deferral.ticks == 0) {
        return 0;
    }
    const uint32_t passed = cut_short();
    deferral.ticks = 0;
    return passed;
}

// A tick that was pending when the long period was asked for did not begin it. Returns how many
// have passed: that one.
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
