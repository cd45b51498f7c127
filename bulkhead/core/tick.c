// SPDX-License-Identifier: MIT
//
// Time: the tick, and the timers of threads and of alarms, which share one heap (timer.h). The
// functions that arm and disarm are out of line because several files call them.
//
// The tick handler runs one due timer itself: that of any thread, or an alarm whose priority is at
// least that of the running thread. The other due timers are deferred to idle, which runs each at
// the timer's own priority (deferred.c). The priority of a timer is known if the timer is due at
// this tick or was moved to the expired ones. Below an overdue timer at the top of the heap there
// may be one of a higher priority; therefore idle moves overdue timers first, at the highest
// priority that any timer ever had. A timer is moved at most once before it runs or its thread
// changes priority. So a thread above it waits for one move of each declared timer and thread,
// however late they are.
#include "hooks.h"
#include "kernel.h"

void kernel_disarm(struct timer *timer) {
    if (timer->place == TIMER_EXPIRED) {
        expired_remove(&kernel.expired, timer);
    } else if (timer_armed(timer)) {
        timer_disarm(&kernel.timers, timer);
    }
}

void kernel_arm(struct timer *timer, uint32_t due, uint32_t mask) {
    kernel.timed_priorities |= mask;
    timer_arm(&kernel.timers, timer, due, arch_leading_zeroes(mask));
}

bool kernel_has_expired(void) {
    return kernel.expired.bitmap != 0 || timers_due(&kernel.timers, kernel.ticks) != NULL;
}

bool kernel_has_overdue(void) {
    const struct timer *due = timers_due(&kernel.timers, kernel.ticks);
    return due != NULL && timer_due(due) != kernel.ticks;
}

// Returns the expired timer of the highest priority; NULL if none has expired. While the heap has
// an overdue timer, the result may be another one: the caller tests kernel_has_overdue.
static struct timer *highest(void) {
    struct timer *due = timers_due(&kernel.timers, kernel.ticks);
    const uint32_t bitmap = kernel.expired.bitmap;
    if (bitmap != 0 && (due == NULL || timer_priority_mask(due) <= bitmap)) {
        return kernel.expired.heads[arch_leading_zeroes(bitmap)];
    }
    return due;
}

// Moves a timer from the heap to the expired ones; its key keeps the tick at which it was due.
static void move(struct timer *timer) {
    kernel_disarm(timer);
    expired_add(&kernel.expired, timer);
}

static void run(struct timer *timer) {
    kernel_disarm(timer);
    timer->expire(timer);
}

void kernel_expire(void) {
    if (kernel_has_overdue()) {
        move(kernel.timers.heap[1]);
    } else if (kernel_has_expired()) {
        run(highest());
    }
}

// --- Deferred timers -----------------------------------------------------------------------------

static uint32_t highest_mask(uint32_t bitmap) {
    return priority_mask_of(arch_leading_zeroes(bitmap));
}

// Returns the priority of deferred timers. If the timer at the top of the heap is overdue, later
// timers in the heap may have a higher priority, so the work then has the highest priority that any
// timer ever had.
static uint32_t urgency(const struct deferred *work) {
    const struct timer *due = timers_due(&kernel.timers, kernel.ticks);
    const uint32_t expired = highest_mask(kernel.expired.bitmap);
    (void)work;
    if (due == NULL) {
        return expired;
    }
    const uint32_t mask =
        kernel_has_overdue() ? highest_mask(kernel.timed_priorities) : timer_priority_mask(due);
    return mask > expired ? mask : expired;
}

// Moves overdue timers to the expired ones until none is left or an interrupt is pending. If none
// is overdue, runs one expired timer.
static void proceed(struct deferred *work) {
    do {
        kernel_expire();
    } while (kernel_has_overdue() && !arch_interrupt_pending());
    if (!kernel_has_expired()) {
        deferred_remove(work);
    }
    arch_switch_forget();
}

static const struct deferred_kind deferred_timers = {urgency, proceed, NULL};

// --- The tick ------------------------------------------------------------------------------------

static __attribute__((noinline)) void end_slice(struct thread *thread) {
    thread->slice_ticks_left = thread->declared->slice_ticks;
    if (thread->next != thread) {
        *thread->level = thread->next;
        kernel_request_switch();
    }
}

static bool is_of_thread(const struct timer *timer) {
    const uintptr_t offset = (uintptr_t)timer - (uintptr_t)kernel_threads;
    return offset < kernel_thread_count * sizeof(struct thread);
}

// Returns whether the tick may run a timer itself. The timer of a thread takes a short time, so the
// tick runs it even if the thread is below the running thread. An alarm may set flags, which takes
// time for each waiter.
static bool is_for_tick(const struct timer *timer) {
    return timer_priority_mask(timer) >= kernel.current->priority_mask || is_of_thread(timer);
}

// Runs one due timer in the tick, which saves the switch to the idle thread and back.
static __attribute__((noinline)) void expire(void) {
    struct timer *first = highest();
    if (!kernel_has_overdue() && is_for_tick(first)) {
        run(first);
    }
    if (kernel_has_expired()) {
        deferred_add(&kernel.expiry, &deferred_timers);
        kernel_request_switch();
    }
}

// Handles a tick. A slice is a number of ticks that found the thread running.
void kernel_tick(void) {
    struct thread *running = kernel.current;
    hook_tick();
    kernel_add_ticks(1);
    if (unlikely(running->slice_ticks_left != 0) && --running->slice_ticks_left == 0) {
        end_slice(running);
    }
    if (kernel_has_expired()) {
        expire();
    }
}
