// SPDX-License-Identifier: MIT
//
// Timeouts: a list of the threads that wait for a tick, the next due first, FIFO among equals.
//
// Pure. To disarm and to see whether anything is due is constant-time; to arm is linear in the
// timers that are due earlier. Ticks wrap: two of them are compared by their difference, which is
// right for less than 2^31.
#ifndef KERNEL_TIMER_H
#define KERNEL_TIMER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// An element; `next` is NULL while it is not armed. The list is a ring that begins and ends at its
// anchor.
struct timer {
    struct timer *next, *previous;
    uint32_t due; // tick
};

static inline void timers_clear(struct timer *anchor) {
    anchor->next = anchor;
    anchor->previous = anchor;
}

static inline bool timer_armed(const struct timer *timer) {
    return timer->next != NULL;
}

static inline void timer_arm(struct timer *anchor, struct timer *timer, uint32_t due) {
    struct timer *before = anchor->previous;
    while (before != anchor && (int32_t)(before->due - due) > 0) {
        before = before->previous;
    }
    timer->due = due;
    timer->previous = before;
    timer->next = before->next;
    before->next->previous = timer;
    before->next = timer;
}

static inline void timer_disarm(struct timer *timer) {
    timer->next->previous = timer->previous;
    timer->previous->next = timer->next;
    timer->next = NULL;
}

// Takes the first timer that is due at `now` off the list; NULL if there is none.
static inline struct timer *timers_take_due(struct timer *anchor, uint32_t now) {
    struct timer *first = anchor->next;
    if (first == anchor || (int32_t)(first->due - now) > 0) {
        return NULL;
    }
    timer_disarm(first);
    return first;
}

#endif
