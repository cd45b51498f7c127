// SPDX-License-Identifier: MIT
//
// Time: the tick, and the timers of threads and of alarms, which are one heap (timer.h). Out of
// line, for there are several who arm and disarm.
//
// A tick runs one of the timers that are due, whoever is running; the rest is for deferred.c, at
// the priority of the next, which is the highest of those due at this tick.
#include "deferred.h"
#include "hooks.h"

void kernel_disarm(struct timer *timer) {
    if (timer_armed(timer)) {
        timer_disarm(&kernel.timers, timer);
    }
}

void kernel_arm(struct timer *timer, uint32_t due, uint32_t bit) {
    kernel_disarm(timer);
    kernel.timed_bits |= bit;
    timer_arm(&kernel.timers, timer, due, arch_leading_zeroes(bit));
}

struct timer *kernel_due(void) {
    return timers_due(&kernel.timers, kernel.ticks);
}

bool kernel_expire(void) {
    struct timer *due = kernel_due();
    if (due == NULL) {
        return false;
    }
    kernel_disarm(due);
    due->expire(due);
    return true;
}

static __attribute__((noinline)) void end_slice(struct thread *thread) {
    thread->slice_ticks_left = thread->declared->slice_ticks;
    if (thread->next != thread) {
        *thread->level = thread->next;
        kernel_request_switch();
    }
}

// A slice is so many ticks that found the thread running.
void kernel_tick(void) {
    struct thread *running = kernel.current;
    hook_tick();
    kernel.ticks++;
    if (SELDOM(running->slice_ticks_left != 0) && --running->slice_ticks_left == 0) {
        end_slice(running);
    }
    if (kernel_expire() && SELDOM(kernel_due() != NULL)) {
        deferred_prioritise();
        kernel_request_switch();
    }
}
