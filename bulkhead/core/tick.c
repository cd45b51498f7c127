// SPDX-License-Identifier: MIT
//
// Time: the tick, and the timers of threads and of alarms, which are one heap (timer.h). Out of
// line, for there are several who arm and disarm.
//
// A tick at which many timers are due stops where an interrupt is pending, and leaves the rest to
// deferred.c: at the priority of the next, for among those of one tick that is the highest.
#include "deferred.h"
#include "hooks.h"

void kernel_arm(struct timer *timer, uint32_t due, uint32_t priority) {
    timer_arm(&kernel.timers, timer, due, priority);
}

void kernel_disarm(struct timer *timer) {
    if (timer_armed(timer)) {
        timer_disarm(&kernel.timers, timer);
    }
}

void kernel_rearm(struct timer *timer, uint32_t priority) {
    if (timer_armed(timer)) {
        kernel_disarm(timer);
        kernel_arm(timer, timer_due(timer), priority);
    }
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
        arch_switch_request();
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
    while (kernel_expire()) {
        if (SELDOM(arch_interrupt_pending())) {
            deferred_prioritise();
            arch_switch_request();
            return;
        }
    }
}
