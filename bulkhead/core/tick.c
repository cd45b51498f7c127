// SPDX-License-Identifier: MIT
//
// Time: the tick, and the timers of threads and of alarms, which are one heap (timer.h). Out of
// line, for there are several who arm and disarm.
#include "hooks.h"
#include "kernel.h"

void kernel_arm(struct timer *timer, uint32_t due) {
    timer_arm(&kernel.timers, timer, due);
}

void kernel_disarm(struct timer *timer) {
    if (timer_armed(timer)) {
        timer_disarm(&kernel.timers, timer);
    }
}

static __attribute__((noinline)) void end_slice(struct thread *thread) {
    thread->slice_ticks_left = thread->declared->slice_ticks;
    if (thread->next != thread) {
        *thread->level = thread->next;
        arch_switch_request();
    }
}

// A slice is so many ticks that found the thread running.
void kernel_tick(void) {
    struct thread *running = kernel.current;
    struct timer *next;
    hook_tick();
    kernel.ticks++;
    if (SELDOM(running->slice_ticks_left != 0) && --running->slice_ticks_left == 0) {
        end_slice(running);
    }
    while ((next = timers_next(&kernel.timers)) != NULL && timer_is_due(next, kernel.ticks)) {
        kernel_disarm(next);
        next->expire(next);
    }
}
