// SPDX-License-Identifier: MIT
//
// A node that asks the master, and keeps nothing but its threads' registers.
#include "central.h"
#include "words.h"

#define FROM_MASTER (1u << MASTER)

static uint32_t sequence;

// The thread that the master's word names; waits while it names none.
static struct thread *adopt(uint32_t decision) {
    while (decision & DECISION_NONE) {
        machine_wait();
        if (PENDING & FROM_MASTER) {
            decision = WORD_FROM(MASTER);
        }
    }
    return &threads[DECISION_THREAD(decision)];
}

static void ask(enum nodes_call call, uint32_t argument, const struct thread *self) {
    sequence = (sequence + 1) & SEQUENCE_MASK;
    RING_WORD(MASTER) = REQUEST(sequence, call, (uint32_t)self->index, argument);
}

// Words that are older than the request are of no use: the answer is newer.
static struct thread *answer(struct thread *self) {
    uint32_t decision;
    do {
        while (!(PENDING & FROM_MASTER)) {
        }
        decision = WORD_FROM(MASTER);
    } while (DECISION_SEQUENCE(decision) != sequence);
    self->a[0] = DECISION_RESULT(decision);
    return adopt(decision);
}

static struct thread *refuse(struct thread *self) {
    self->a[0] = NODES_ARGUMENT;
    return self;
}

static struct thread *yield(uint32_t one, uint32_t two, struct thread *self) {
    (void)one;
    (void)two;
    ask(NODES_CALL_YIELD, 0, self);
    return answer(self);
}

static struct thread *take(uint32_t semaphore, uint32_t two, struct thread *self) {
    (void)two;
    if (semaphore >= NODES_SEMAPHORES) {
        return refuse(self);
    }
    ask(NODES_CALL_TAKE, semaphore, self);
    return answer(self);
}

static struct thread *give(uint32_t semaphore, uint32_t two, struct thread *self) {
    (void)two;
    if (semaphore >= NODES_SEMAPHORES) {
        return refuse(self);
    }
    ask(NODES_CALL_GIVE, semaphore, self);
    return answer(self);
}

static struct thread *delay(uint32_t ticks, uint32_t two, struct thread *self) {
    (void)two;
    if (ticks > UINT16_MAX) {
        return refuse(self);
    }
    ask(NODES_CALL_DELAY, ticks, self);
    return answer(self);
}

static struct thread *create(uint32_t task, uint32_t two, struct thread *self) {
    (void)two;
    if (!thread_create(task)) {
        return thread_refuse_creation(task, self);
    }
    ask(NODES_CALL_CREATE, task, self);
    return answer(self);
}

static struct thread *exit(uint32_t one, uint32_t two, struct thread *self) {
    (void)one;
    (void)two;
    ask(NODES_CALL_EXIT, 0, self);
    thread_prepare(self);
    return answer(self);
}

static struct thread *set_priority(uint32_t priority, uint32_t two, struct thread *self) {
    (void)two;
    if (!thread_priority_is_valid(priority)) {
        return refuse(self);
    }
    ask(NODES_CALL_PRIORITY, priority, self);
    return answer(self);
}

static struct thread *init(uint32_t semaphore, uint32_t count, struct thread *self) {
    if (semaphore >= NODES_SEMAPHORES || count > NODES_COUNT_MAX) {
        return refuse(self);
    }
    ask(NODES_CALL_INIT, PAIR(semaphore, count), self);
    return answer(self);
}

struct thread *slave_decided(struct thread *running) {
    return PENDING & FROM_MASTER ? adopt(WORD_FROM(MASTER)) : running;
}

void slave_boot(void) {
    calls[NODES_CALL_YIELD] = yield;
    calls[NODES_CALL_TAKE] = take;
    calls[NODES_CALL_GIVE] = give;
    calls[NODES_CALL_DELAY] = delay;
    calls[NODES_CALL_CREATE] = create;
    calls[NODES_CALL_EXIT] = exit;
    calls[NODES_CALL_PRIORITY] = set_priority;
    calls[NODES_CALL_INIT] = init;
    machine_enable(INTERRUPT_SOFTWARE);
}

struct thread *slave_start(struct thread *first) {
    if (!first) {
        return adopt(DECISION_NONE);
    }
    thread_create(first->index);
    ask(NODES_CALL_CREATE, first->index, first);
    return answer(first);
}
