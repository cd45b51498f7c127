// SPDX-License-Identifier: MIT
//
// Tests the invariants of the kernel's whole state whenever the kernel is entered. So an error that
// a call, an interrupt or a tick makes is found at the next entry. The time grows with the number
// of threads and mutexes: use it for tests, and to search for a fault.
#include "checks.h"

// Tests the ring of ready threads of one priority. Returns the number of threads in it.
static uint32_t check_level(uint32_t priority) {
    const struct thread *head = kernel.ready.heads[priority];
    const struct thread *each = head;
    uint32_t found = 0;
    do {
        CHECK(each->state == 0 && each->priority_mask == priority_mask_of(priority));
        CHECK(each->next->previous == each && each->previous->next == each);
        CHECK(++found <= kernel_thread_count + 1);
        each = each->next;
    } while (each != head);
    return found;
}

// Tests the ready queue. The idle thread is in a ring of it only while it does deferred work
// (deferred.h).
static void check_ready(void) {
    uint32_t in_rings = 0, ready = kernel_idle.priority_mask != 0;
    for (uint32_t priority = 0; priority < PRIORITIES; priority++) {
        if (kernel.ready.bitmap & priority_mask_of(priority)) {
            in_rings += check_level(priority);
        }
    }
    for (uint32_t i = 0; i < kernel_thread_count; i++) {
        ready += kernel_threads[i].state == 0;
    }
    CHECK(in_rings == ready);
}

static void check_expired_level(uint32_t priority) {
    const struct timer *head = kernel.expired.heads[priority];
    const struct timer *each = head;
    do {
        CHECK(each->place == TIMER_EXPIRED && timer_priority(each) == priority);
        CHECK(each->next->previous == each && timer_is_due(each, kernel.ticks));
        each = each->next;
    } while (each != head);
}

static void check_timers(void) {
    const struct timers *timers = &kernel.timers;
    for (uint32_t priority = 0; priority < TIMER_PRIORITIES; priority++) {
        if (kernel.expired.bitmap & priority_mask_of(priority)) {
            check_expired_level(priority);
        }
    }
    for (uint32_t place = 1; place <= timers->count; place++) {
        CHECK(timers->heap[place]->place == place);
        CHECK(place == 1 || !timer_is_before(timers->heap[place], timers->heap[place / 2]));
    }
}

// Tests everything, once the kernel has started: the first ticks may come while threads are still
// being launched.
void kernel_check(void) {
    if (kernel.current == &kernel_no_thread) {
        return;
    }
    check_ready();
    check_timers();
    kernel_check_waits();
}
