// SPDX-License-Identifier: MIT
//
// The tick, on the machine timer. Each tick is due one period after the tick before it, so no tick
// drifts or is lost. If no thread or timer needs the next ticks, the next interrupt is due later
// and stands for several ticks.
//
// All functions run in traps, so no code sees a half-changed state. mtime continues meanwhile.
//
// Source: Privileged Architecture (version 20211203) 3.2.1 mtime and mtimecmp. Their addresses
// depend on the machine; QEMU's `virt` has those of SiFive's CLINT.
#include "internal.h"
#include <bulkhead/tick.h>

#define MTIMECMP ((volatile uint32_t *)0x02004000u)
#define MTIME ((volatile uint32_t *)0x0200BFF8u)

static uint32_t period_counts;
static uint64_t due; // mtime of the next interrupt
// number of ticks that the next interrupt stands for; 0 if it stands for one
static uint32_t deferred_ticks;

// Sets the time of the next interrupt. Writes the maximum to the high word first and its value last
// (3.2.1), so that no intermediate mtimecmp is below the new value.
static void set_due(uint64_t counts) {
    due = counts;
    MTIMECMP[1] = UINT32_MAX;
    MTIMECMP[0] = (uint32_t)due;
    MTIMECMP[1] = (uint32_t)(due >> 32);
}

static uint64_t now(void) {
    uint32_t high, low;
    do {
        high = MTIME[1];
        low = MTIME[0];
    } while (high != MTIME[1]);
    return (uint64_t)high << 32 | low;
}

void bulkhead_tick_start(uint32_t counts) {
    period_counts = counts;
    set_due(now() + counts);
}

void arch_tick_again(void) {
    set_due(due + period_counts);
}

void arch_tick_defer(uint32_t ticks) {
    const uint32_t most = INT32_MAX / period_counts;
    const uint32_t wanted = ticks < most ? ticks : most;
    if (deferred_ticks == 0 && wanted > 1) {
        deferred_ticks = wanted;
        set_due(due + (uint64_t)(wanted - 1) * period_counts);
    }
}

// Ends a deferral and returns the ticks that have passed. Ticks that are due but not yet taken are
// left to their interrupt.
uint32_t arch_tick_resume(void) {
    const int32_t left_counts = (int32_t)(due - now());
    if (deferred_ticks == 0 || left_counts <= 0) {
        return 0;
    }
    const uint32_t left_ticks = (uint32_t)(left_counts - 1) / period_counts;
    const uint32_t passed = deferred_ticks - 1 - left_ticks;
    deferred_ticks = 0;
    set_due(due - (uint64_t)left_ticks * period_counts);
    return passed;
}

uint32_t arch_tick_passed(void) {
    const uint32_t passed = deferred_ticks == 0 ? 1 : deferred_ticks;
    deferred_ticks = 0;
    return passed;
}
