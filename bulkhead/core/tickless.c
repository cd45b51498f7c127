// SPDX-License-Identifier: MIT
//
// Idle time without ticks: while no thread is ready, the tick interrupts only when the next timer
// is due. Only a system that is declared `tickless` uses this file: its idle thread makes the call
// below, and its interrupts first count the ticks that have passed.
#include "methods.h"

// Defers the tick until the next timer is due. Only the idle thread has the right to this call.
struct thread *idle_sleep(void) {
    const struct timer *next = timers_next(&kernel.timers);
    arch_tick_defer(next == NULL ? UINT32_MAX : timer_due(next) - kernel.ticks);
    return NO_SWITCH;
}

void kernel_catch_up(void) {
    kernel_add_ticks(arch_tick_resume());
}

void kernel_tick_after_idle(void) {
    kernel_add_ticks(arch_tick_passed() - 1);
    kernel_tick();
}
