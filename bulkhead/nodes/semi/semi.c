// SPDX-License-Identifier: MIT
//
// The semi-distributed scheduler: each node schedules its own tasks and keeps its own time, without
// the other nodes. Only the semaphores are shared (semaphores.c). To wake a task of another node, a
// node rings one bit in that node's doorbell: the index of the task among the tasks of its node.
#include "semi.h"
#include "sleep.h"

static struct queue ready;
static struct thread *by_place[NODES_MAX_TASKS_PER_NODE];

static inline void wake_lowest(uint32_t rung) {
    queue_append(&ready, by_place[levels_lowest(rung)]);
}

// Wakes the threads of several bits. Not inlined: usually one bit is set, which needs no loop.
__attribute__((noinline)) static void wake_several(uint32_t rung) {
    for (; rung; rung &= rung - 1) {
        wake_lowest(rung);
    }
}

// Readies the threads whose bits were rung. None of them is ready already, because each ring of a
// bit ends one wait of the thread.
static void wake_rung(void) {
    const uint32_t rung = BITS;
    if (rung & (rung - 1)) {
        wake_several(rung);
    } else if (rung) {
        wake_lowest(rung);
    }
}

// Wakes threads that are due. Not inlined, so that a caller that waits saves no registers for it.
__attribute__((noinline)) static void wake_due(void) {
    for (struct thread *due = sleep_next_due(); due; due = sleep_next_due()) {
        queue_append(&ready, due);
    }
    sleep_set_timer();
}

// Waits in the kernel, so that a thread that is woken pays for no trap. Not inlined, so that a
// caller with a ready thread saves no registers for it.
__attribute__((noinline)) static struct thread *wait(void) {
    struct thread *first;
    do {
        machine_wait();
        wake_rung();
        first = queue_first(&ready);
        if (!first && machine_pending() & INTERRUPT_TIMER) {
            wake_due();
            first = queue_first(&ready);
        }
        if (!first && device_is_pending()) {
            (void)give_for_device(thread_last());
            first = queue_first(&ready);
        }
    } while (!first);
    return first;
}

// Returns the thread that runs next.
static struct thread *next(void) {
    struct thread *first = queue_first(&ready);
    return first ? first : wait();
}

struct thread *semi_block(struct thread *self) {
    queue_remove(&ready, self);
    return next();
}

struct thread *semi_ready(struct thread *thread) {
    queue_append(&ready, thread);
    return queue_first(&ready);
}

static struct thread *yield(uint32_t argument, struct thread *self, uint32_t call) {
    (void)argument;
    (void)call;
    return queue_rotate(&ready, self);
}

static struct thread *delay(uint32_t ticks, struct thread *self, uint32_t call) {
    (void)call;
    self->a[0] = sleep_begin(self, ticks);
    if (self->a[0] != NODES_OK) {
        return self;
    }
    sleep_set_timer();
    return semi_block(self);
}

static struct thread *create(uint32_t task, struct thread *self, uint32_t call) {
    (void)call;
    struct thread *thread = thread_create(task);
    if (!thread) {
        return thread_refuse_creation(task, self);
    }
    self->a[0] = NODES_OK;
    return semi_ready(thread);
}

static struct thread *exit_task(uint32_t argument, struct thread *self, uint32_t call) {
    (void)argument;
    (void)call;
    queue_remove(&ready, self);
    thread_prepare(self);
    return next();
}

static struct thread *set_priority(uint32_t priority, struct thread *self, uint32_t call) {
    (void)call;
    if (!thread_priority_is_valid(priority)) {
        return finish(self, NODES_ARGUMENT);
    }
    self->a[0] = NODES_OK;
    queue_remove(&ready, self);
    self->level = thread_level(priority);
    queue_append(&ready, self);
    return queue_first(&ready);
}

struct thread *interrupt_software(struct thread *running) {
    (void)running;
    wake_rung();
    return queue_first(&ready);
}

struct thread *interrupt_timer(struct thread *running) {
    (void)running;
    wake_due();
    return queue_first(&ready);
}

struct thread *interrupt_external(struct thread *running) {
    return device_is_pending() ? give_for_device(running) : running;
}

void scheduler_boot(uint32_t tick_cycles) {
    for (uint32_t i = 0; i < NODES_MAX_TASKS; i++) {
        if (threads[i].declaration && threads[i].node == nodes_self) {
            by_place[threads[i].place] = &threads[i];
        }
    }
    calls[NODES_CALL_YIELD] = yield;
    calls[NODES_CALL_DELAY] = delay;
    calls[NODES_CALL_CREATE] = create;
    calls[NODES_CALL_EXIT] = exit_task;
    calls[NODES_CALL_PRIORITY] = set_priority;
    semi_semaphores_boot();
    sleep_boot(tick_cycles);
    machine_enable(INTERRUPT_SOFTWARE | INTERRUPT_TIMER);
}

struct thread *scheduler_start(struct thread *first) {
    if (first) {
        thread_create(first->index);
        queue_append(&ready, first);
    }
    return next();
}
