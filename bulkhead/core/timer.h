// SPDX-License-Identifier: MIT
//
// The order of timers. Timers that are due in the future are in a binary heap: the timer that is
// due next is on top; among timers that are due at the same tick, the highest priority comes first,
// then the one armed first. Timers that are due, but whose action was not carried out yet, are in a
// ring for each priority, first in, first out.
//
// There are two structures, because a heap ordered by time cannot find the highest priority of the
// overdue timers: below an overdue timer, the heap may hold a later timer of a higher priority.
//
// The code depends on nothing else of the kernel. Reading the next timer is constant-time. Arming,
// disarming and removing the top pass one timer for each level of the heap, at most log2 of the
// declared number of timers; every operation on expired timers is constant-time. Ticks wrap: two of
// them are compared by their difference, which is right for differences below 2^31. Each arming of
// a timer gets a number, which wraps too: once in 2^27 armings, two timers of the same tick and
// priority may swap their order.
#ifndef KERNEL_TIMER_H
#define KERNEL_TIMER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct timer {
    uint64_t key;   // the tick at which it is due, its priority, and a number that counts armings
    uint32_t place; // index in the heap, from 1; 0 if not armed; or TIMER_EXPIRED
    void (*expire)(struct timer *timer);
    struct timer *next, *previous; // in the ring of expired timers of its priority
};

enum { TIMER_ARMING_BITS = 27, TIMER_PRIORITIES = 32 };
#define TIMER_EXPIRED UINT32_MAX

// The key of a timer that has not been armed yet.
#define TIMER_KEY(priority) ((uint32_t)(priority) << TIMER_ARMING_BITS)

// `heap` has room for every declared timer, after an unused entry: the children of the timer at
// index i are at 2 i and 2 i + 1.
struct timers {
    struct timer **heap;
    uint32_t count;
    uint32_t armings;
};

struct expired_timers {
    uint32_t bitmap; // the priorities that have an expired timer; priority 0 is bit 31
    struct timer *heads[TIMER_PRIORITIES];
};

// Returns whether a timeout can be armed. A longer one could not be distinguished from a time in
// the past. It means for ever, and a timer armed for it would break the order of the heap.
static inline bool timer_can_wait(uint32_t ticks) {
    return ticks <= INT32_MAX;
}

static inline bool timer_armed(const struct timer *timer) {
    return timer->place != 0;
}

static inline uint32_t timer_due(const struct timer *timer) {
    return (uint32_t)(timer->key >> 32);
}

static inline uint32_t timer_priority(const struct timer *timer) {
    return (uint32_t)timer->key >> TIMER_ARMING_BITS;
}

static inline bool timer_is_before(const struct timer *one, const struct timer *other) {
    return (int64_t)(one->key - other->key) < 0;
}

static inline void timers_put(struct timers *timers, uint32_t place, struct timer *timer) {
    timers->heap[place] = timer;
    timer->place = place;
}

// Puts `timer` at the free index `place` of the heap, or nearer to the top if it belongs there.
// Returns the index.
static inline uint32_t timers_rise(struct timers *timers, uint32_t place, struct timer *timer) {
    while (place > 1 && timer_is_before(timer, timers->heap[place / 2])) {
        timers_put(timers, place, timers->heap[place / 2]);
        place /= 2;
    }
    timers_put(timers, place, timer);
    return place;
}

static inline uint32_t timers_earlier_child(const struct timers *timers, uint32_t place) {
    const uint32_t child = 2 * place;
    const bool right =
        child < timers->count && timer_is_before(timers->heap[child + 1], timers->heap[child]);
    return right ? child + 1 : child;
}

// Puts `timer` at the free index `place` of the heap, or further from the top if it belongs there.
static inline void timers_sink(struct timers *timers, uint32_t place, struct timer *timer) {
    while (2 * place <= timers->count) {
        const uint32_t child = timers_earlier_child(timers, place);
        if (timer_is_before(timer, timers->heap[child])) {
            break;
        }
        timers_put(timers, place, timers->heap[child]);
        place = child;
    }
    timers_put(timers, place, timer);
}

static inline void timer_arm(struct timers *timers, struct timer *timer, uint32_t due,
                             uint32_t priority) {
    const uint32_t arming = timers->armings++ % (1u << TIMER_ARMING_BITS);
    timer->key = (uint64_t)due << 32 | TIMER_KEY(priority) | arming;
    timers_rise(timers, ++timers->count, timer);
}

// Removes a timer. The last timer of the heap fills the gap and moves up or down from there.
static inline void timer_disarm(struct timers *timers, struct timer *timer) {
    struct timer *last = timers->heap[timers->count--];
    const uint32_t place = timer->place;
    timer->place = 0;
    if (last != timer) {
        timers_sink(timers, timers_rise(timers, place, last), last);
    }
}

// Returns the timer that is due next; NULL if none is armed.
static inline struct timer *timers_next(const struct timers *timers) {
    return timers->count == 0 ? NULL : timers->heap[1];
}

static inline bool timer_is_due(const struct timer *timer, uint32_t now) {
    return (int32_t)(timer_due(timer) - now) <= 0;
}

// Returns the first timer that is due; NULL if none is.
static inline struct timer *timers_due(const struct timers *timers, uint32_t now) {
    return timers->count != 0 && timer_is_due(timers->heap[1], now) ? timers->heap[1] : NULL;
}

static inline uint32_t timer_priority_mask(const struct timer *timer) {
    return 0x80000000u >> timer_priority(timer);
}

// Adds `timer`, which is not in the heap and whose key is set, to the expired timers.
static inline void expired_add(struct expired_timers *expired, struct timer *timer) {
    struct timer **head = &expired->heads[timer_priority(timer)];
    const bool is_first = !(expired->bitmap & timer_priority_mask(timer));
    timer->place = TIMER_EXPIRED;
    timer->next = is_first ? timer : *head;
    timer->previous = is_first ? timer : (*head)->previous;
    timer->previous->next = timer;
    timer->next->previous = timer;
    *head = timer->next;
    expired->bitmap |= timer_priority_mask(timer);
}

static inline void expired_remove(struct expired_timers *expired, struct timer *timer) {
    struct timer **head = &expired->heads[timer_priority(timer)];
    struct timer *next = timer->next == timer ? NULL : timer->next;
    if (next == NULL) {
        expired->bitmap &= ~timer_priority_mask(timer);
    } else {
        next->previous = timer->previous;
        timer->previous->next = next;
    }
    if (*head == timer) {
        *head = next;
    }
    // This link must be NULL again: the attacks in the tests compare every word of the kernel's
    // state before and after.
    timer->next = NULL;
    timer->previous = NULL;
    timer->place = 0;
}

#endif
