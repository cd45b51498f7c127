// SPDX-License-Identifier: MIT
//
// Functions of world.h that check the priorities and the results of the model's threads.
#include "methods.h"
#include "world.h"

bool world_has_ended(uint32_t thread) {
    return kernel_threads[thread].state == THREAD_DORMANT;
}

bool world_all_ended(void) {
    for (uint32_t i = 0; i < WORLD_THREADS; i++) {
        if (!world_has_ended(i)) {
            return false;
        }
    }
    return true;
}

bool world_has_timeouts(void) {
    return timers_next(&kernel.timers) != NULL;
}

static const struct gate *world_gate(void) {
    return kernel_thread_declarations[WORLD_SERVER].serves;
}

static bool is_walk_deferred(void) {
    const struct deferred *work = kernel.deferred;
    while (work != NULL && work->kind != &inherit_deferred_walk) {
        work = work->next;
    }
    return work != NULL;
}

// Returns an error if a thread has a wrong priority: its own one, or, for a holder of a mutex, that
// of the highest waiter if that is higher.
const char *world_inheritance_wrong(void) {
    if (is_walk_deferred()) {
        // While the kernel still updates priorities in deferred work, only core/hooks/checks can
        // tell which are right.
        return NULL;
    }
    const struct mutex *mutex = &kernel_mutexes[0];
    for (uint32_t i = 0; i < WORLD_THREADS; i++) {
        const struct thread *thread = &kernel_threads[i];
        const struct thread *first = mutex->resource.holder == thread ? mutex->waiters.first : NULL;
        uint32_t mask = thread->base_priority_mask;
        mask = first != NULL && first->priority_mask > mask ? first->priority_mask : mask;
        if (thread->priority_mask != mask && thread->state != THREAD_DORMANT) {
            return "a thread has the wrong priority";
        }
    }
    return NULL;
}

static uint32_t higher(uint32_t mask, const struct thread *thread) {
    return thread != NULL && thread->priority_mask > mask ? thread->priority_mask : mask;
}

// Returns an error unless the server has the priority of the thread that it serves or of its first
// caller, or its own if it serves no thread or is terminated with its process. While the server
// waits for a call, it serves no thread.
const char *world_server_wrong(void) {
    if (is_walk_deferred()) {
        return NULL;
    }
    const struct gate *gate = world_gate();
    const struct thread *server = gate->resource.holder;
    const uint32_t own = server->base_priority_mask;
    const bool serves = server->client != NULL && !(server->state & THREAD_LOST);
    const uint32_t mask = serves ? server->client->priority_mask : own;
    if ((server->state & THREAD_RECEIVES) || server->state == THREAD_DORMANT) {
        return gate->callers.first == NULL ? NULL : "a caller waits for a server that is idle";
    }
    return server->priority_mask == higher(mask, gate->callers.first)
               ? NULL
               : "the server's priority is wrong";
}

bool world_server_rests(void) {
    const struct gate *gate = world_gate();
    return (gate->resource.holder->state & THREAD_RECEIVES) &&
           gate->resource.holder->client == NULL && gate->callers.first == NULL;
}
