// SPDX-License-Identifier: MIT
//
// Idle without a tick: while no thread is ready, the tick interrupts again when the next timer is
// due, and not before. Only a system that is declared `tickless` has any of this: its idle thread
// asks for it, and its interrupts count what has passed before they do anything else.
#include "methods.h"

// Idle's own right.
decision idle_sleep(void) {
    const struct timer *next = timers_next(&kernel.timers);
    arch_tick_defer(next == NULL ? UINT32_MAX : timer_due(next) - kernel.ticks);
    return GO_ON;
}

void kernel_catch_up(void) {
    kernel.ticks += arch_tick_undefer();
}

void kernel_tick_after_idle(void) {
    kernel.ticks += arch_tick_passed() - 1;
    kernel_tick();
}
