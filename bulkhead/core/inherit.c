// SPDX-License-Identifier: MIT
//
// Who runs for whom. A thread's priority is its own, or that of the client that it serves; or a
// higher one of those who wait for the contended mutexes that it holds, or to be served.
#include "objects.h"

static uint32_t higher_bit(uint32_t bit, const struct thread *other) {
    return other != NULL && other->bit > bit ? other->bit : bit;
}

uint32_t thread_inherited_bit(const struct thread *thread) {
    const struct gate *gate = thread->declared->serves;
    uint32_t bit = thread->client == NULL ? thread->base_bit : thread->client->bit;
    if (gate != NULL) {
        bit = higher_bit(bit, gate->callers.first);
    }
    for (const struct mutex *each = thread->held; each != NULL; each = each->next_held) {
        bit = higher_bit(bit, each->waiters.first);
    }
    return bit;
}

static struct thread *waited_for(const struct thread *thread) {
    if (thread->waits_for != NULL) {
        return thread->waits_for->holder;
    }
    return thread->calls == NULL ? NULL : thread->calls->server;
}

// Threads that wait in a circle end it: a priority that is right already changes nothing.
void thread_inherit(struct thread *thread) {
    while (thread != NULL) {
        const uint32_t bit = thread_inherited_bit(thread);
        if (bit == thread->bit) {
            return;
        }
        thread_prioritise(thread, bit);
        thread = waited_for(thread);
    }
}
