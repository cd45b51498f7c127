// SPDX-License-Identifier: MIT
//
// The invariants of the ready queue, of the timers and of what each thread waits in, looked at
// whenever the kernel is entered: what one call, interrupt or tick has left wrong is found by the
// next. Costs time in the number of threads: for tests, and for the search of a fault.
#include "checks.h"

#define CHECK(condition)                   \
    do {                                   \
        if (!(condition)) {                \
            kernel_inconsistent(__LINE__); \
        }                                  \
    } while (0)

// Returns how many threads the ring has.
static uint32_t check_level(uint32_t priority) {
    const struct thread *head = kernel.ready.heads[priority];
    const struct thread *each = head;
    uint32_t found = 0;
    do {
        CHECK(each->state == 0 && each->bit == ready_bit(priority));
        CHECK(each->next->previous == each && each->previous->next == each);
        CHECK(++found <= kernel_thread_count + 1);
        each = each->next;
    } while (each != head);
    return found;
}

// Idle is in a ring while it works (deferred.h).
static void check_ready(void) {
    uint32_t in_rings = 0, ready = kernel_idle.bit != 0;
    for (uint32_t priority = 0; priority < PRIORITIES; priority++) {
        if (kernel.ready.bitmap & ready_bit(priority)) {
            in_rings += check_level(priority);
        }
    }
    for (uint32_t i = 0; i < kernel_thread_count; i++) {
        ready += kernel_threads[i].state == 0;
    }
    CHECK(in_rings == ready);
}

static void check_waiting(const struct thread *thread) {
    CHECK(!(thread->state & THREAD_WAITS) == (thread->waits_in == NULL));
    CHECK(thread->state != 0 || !timer_armed(&thread->timer));
    CHECK(!(thread->state & THREAD_ABSENT) || thread->state == THREAD_ABSENT ||
          thread->waits_in == &kernel.ending);
}

static void check_timers(void) {
    const struct timers *timers = &kernel.timers;
    for (uint32_t place = 1; place <= timers->count; place++) {
        CHECK(timers->heap[place]->place == place);
        CHECK(place == 1 || !timer_is_before(timers->heap[place], timers->heap[place / 2]));
    }
}

// The first ticks may come while threads are still being launched.
void kernel_check(void) {
    if (kernel.current == &kernel_nobody) {
        return;
    }
    check_ready();
    check_timers();
    for (uint32_t i = 0; i < kernel_thread_count; i++) {
        check_waiting(&kernel_threads[i]);
    }
}
