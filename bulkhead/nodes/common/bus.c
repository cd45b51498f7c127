// SPDX-License-Identifier: MIT
//
// The lists of the communication bus (bulkhead/nodes_bus.h): free places for messages, and waiting
// messages in the order of priority. Tasks wait by semaphores. The code is the same for all
// schedulers: each node changes the lists itself, under a lock cell.
//
// A place is free, has a waiting message, or is held by a task. The kernel does not know which task
// holds a place, so a task can send or release a place that another task holds. The lists stay
// intact whatever arguments a task passes.
#include "bus.h"
#include "scheduler.h"
#include "shared_queue.h"
#include <bulkhead/nodes_bus.h>

struct bus_queue {
    uint32_t free; // bit n is set if place n is free
    uint32_t waits;
    struct shared_queue messages;
    uint32_t following[NODES_QUEUE_PLACES];
};

static volatile struct bus_queue *const queues =
    (volatile struct bus_queue *)(GLOBAL_MEMORY + GLOBAL_BUS_OFFSET);

#define ARGUMENT_QUEUE(argument) ((argument) & 7)
#define ARGUMENT_PLACE(argument) ((argument) >> 3 & 31)
#define ARGUMENT_PRIORITY(argument) ((argument) >> 8)

// Acquires the lock cell of the queue's first semaphore. No call holds two cells.
static void lock(uint32_t queue) {
    cell_lock(NODES_QUEUE_MESSAGES(queue));
}

static void unlock(uint32_t queue) {
    cell_unlock(NODES_QUEUE_MESSAGES(queue));
}

static struct thread *queue_init(uint32_t argument, struct thread *self, uint32_t call) {
    (void)call;
    const uint32_t queue = ARGUMENT_QUEUE(argument);
    lock(queue);
    queues[queue].free = UINT32_MAX >> (NODES_QUEUE_PLACES - 1 - ARGUMENT_PLACE(argument));
    queues[queue].waits = 0;
    queues[queue].messages.levels = 0;
    unlock(queue);
    return finish(self, NODES_OK);
}

static struct thread *claim(uint32_t argument, struct thread *self, uint32_t call) {
    (void)call;
    const uint32_t queue = ARGUMENT_QUEUE(argument);
    lock(queue);
    const uint32_t free = queues[queue].free;
    queues[queue].free = free & (free - 1);
    unlock(queue);
    return finish(self, free ? NODES_VALUE + levels_lowest(free) : NODES_FULL);
}

static struct thread *post(uint32_t argument, struct thread *self, uint32_t call) {
    (void)call;
    const uint32_t queue = ARGUMENT_QUEUE(argument), place = ARGUMENT_PLACE(argument);
    if (!thread_priority_is_valid(ARGUMENT_PRIORITY(argument))) {
        return finish(self, NODES_ARGUMENT);
    }
    lock(queue);
    volatile struct bus_queue *bus = &queues[queue];
    const uint32_t waits = bus->waits, bit = 1u << place;
    const bool claimed = !((bus->free | waits) & bit);
    if (claimed) {
        bus->waits = waits | bit;
        shared_append(&bus->messages, bus->following, bus->messages.levels,
                      thread_level(ARGUMENT_PRIORITY(argument)), place);
    }
    unlock(queue);
    return finish(self, claimed ? NODES_OK : NODES_ARGUMENT);
}

// The scheduler's handler of nodes_set_priority.
static call_handler *set_priority;

// Sets the base priority of a task. The inherited priority remains if it is more urgent.
static struct thread *set_base(uint32_t priority, struct thread *self, uint32_t call) {
    if (thread_priority_is_valid(priority)) {
        self->base = (uint8_t)thread_level(priority);
    }
    return self->inherits ? finish(self, NODES_OK) : set_priority(priority, self, call);
}

// Sets the priority at which `self` runs, and then its result.
static struct thread *run_at(struct thread *self, uint32_t level, uint32_t result) {
    struct thread *next = set_priority(NODES_PRIORITY_HIGHEST - level, self, NODES_CALL_PRIORITY);
    self->a[0] = result;
    return next;
}

// Removes the most urgent message. The caller holds the lock cell. There is a message unless tasks
// violate the protocol.
static bool take_first(volatile struct bus_queue *bus, uint32_t *place, uint32_t *level) {
    const uint32_t levels = bus->messages.levels;
    if (!levels) {
        return false;
    }
    *level = levels_lowest(levels);
    shared_take(&bus->messages, bus->following, levels, *level, place);
    bus->waits &= ~(1u << *place);
    return true;
}

static struct thread *accept(uint32_t argument, struct thread *self, uint32_t call) {
    (void)call;
    const uint32_t queue = ARGUMENT_QUEUE(argument);
    uint32_t place, level;
    lock(queue);
    const bool taken = take_first(&queues[queue], &place, &level);
    unlock(queue);
    if (!taken) {
        return finish(self, NODES_FULL);
    }
    if (level >= self->base) {
        return finish(self, NODES_VALUE + place);
    }
    self->inherits = true;
    return run_at(self, level, NODES_VALUE + place);
}

static struct thread *release(uint32_t argument, struct thread *self, uint32_t call) {
    (void)call;
    const uint32_t queue = ARGUMENT_QUEUE(argument), bit = 1u << ARGUMENT_PLACE(argument);
    lock(queue);
    const uint32_t free = queues[queue].free;
    const bool held = !((free | queues[queue].waits) & bit);
    if (held) {
        queues[queue].free = free | bit;
    }
    unlock(queue);
    const uint32_t result = held ? NODES_OK : NODES_ARGUMENT;
    if (!self->inherits) {
        return finish(self, result);
    }
    self->inherits = false;
    return run_at(self, self->base, result);
}

void bus_boot(void) {
    set_priority = calls[NODES_CALL_PRIORITY];
    calls[NODES_CALL_PRIORITY] = set_base;
    calls[NODES_CALL_QUEUE_INIT] = queue_init;
    calls[NODES_CALL_CLAIM] = claim;
    calls[NODES_CALL_POST] = post;
    calls[NODES_CALL_ACCEPT] = accept;
    calls[NODES_CALL_RELEASE] = release;
}
