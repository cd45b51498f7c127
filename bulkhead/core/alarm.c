// SPDX-License-Identifier: MIT
//
// Software timers. When a timer is due, once or every period, it acts on an object as an interrupt
// could. The declaration binds the action at build time, as for an interrupt.
#include "methods.h"

#define ALARM_OF_TIMER(member) \
    ((struct alarm *)(void *)((char *)(member) - offsetof(struct alarm, timer)))

static __attribute__((noinline)) void arm(struct timer *timer, uint32_t due) {
    kernel_arm(timer, due, priority_mask_of(timer_priority(timer)));
}

// Returns the first tick of the next period that is still in the future, so that periods do not
// drift. Periods that have passed since the timer was due are skipped: a late timer acts once for
// all of them.
static uint32_t next_due(const struct alarm *alarm) {
    const uint32_t due = timer_due(&alarm->timer);
    const uint32_t late_ticks = kernel.ticks - due;
    uint32_t next = due + alarm->period_ticks;
    if (unlikely(late_ticks >= alarm->period_ticks)) {
        next += late_ticks / alarm->period_ticks * alarm->period_ticks;
    }
    return next;
}

void alarm_expire(struct timer *timer) {
    struct alarm *alarm = ALARM_OF_TIMER(timer);
    if (alarm->period_ticks != 0) {
        arm(timer, next_due(alarm));
    }
    alarm->act();
}

struct thread *alarm_start(struct alarm *alarm, struct arch_frame *frame) {
    const uint32_t first_ticks = arch_argument(frame);
    const uint32_t period_ticks = arch_second_argument(frame);
    if (first_ticks == 0 || !timer_can_wait(first_ticks) || !timer_can_wait(period_ticks)) {
        return kernel_fail(BULKHEAD_REFUSED);
    }
    alarm->period_ticks = period_ticks;
    kernel_disarm(&alarm->timer);
    arm(&alarm->timer, kernel.ticks + first_ticks);
    return NO_SWITCH;
}

struct thread *alarm_stop(struct alarm *alarm) {
    kernel_disarm(&alarm->timer);
    return NO_SWITCH;
}
