// SPDX-License-Identifier: MIT
//
// The master: serves the calls of its own tasks and the requests of the other nodes.
//
// The other nodes could keep it busy for ever. Therefore its own tasks, while one is ready, have at
// least as much time for themselves as the last requests took to serve: what comes earlier waits.
#include "central.h"
#include "services.h"
#include "sleep.h"
#include "words.h"

// What each node was told last.
static struct {
    uint32_t sequence, result; // of its last request
    const struct thread *decided;
} told[NODES_MAX];

static void tell(uint32_t node, const struct thread *decided) {
    const uint32_t thread = decided ? decided->index : DECISION_NONE;
    told[node].decided = decided;
    RING_WORD(node) = DECISION(told[node].sequence, told[node].result, thread);
}

// The master's own decision is made when it leaves the kernel.
static void wake(struct thread *thread, uint32_t answered) {
    const uint32_t node = thread->node;
    const struct thread *decided = told[node].decided;
    queue_append(&ready[node], thread);
    if (node != MASTER && node != answered && (!decided || thread->level < decided->level)) {
        tell(node, thread);
    }
}

// Serves a call of any node's thread.
typedef enum nodes_result service(struct thread *caller, uint32_t argument);

static service *const services[NODES_CALLS] = {
    [NODES_CALL_YIELD] = serve_yield,       [NODES_CALL_TAKE] = serve_take,
    [NODES_CALL_GIVE] = serve_give,         [NODES_CALL_DELAY] = serve_delay,
    [NODES_CALL_CREATE] = serve_create,     [NODES_CALL_EXIT] = serve_exit,
    [NODES_CALL_PRIORITY] = serve_priority, [NODES_CALL_INIT] = serve_init,
};

static void serve(uint32_t node) {
    const uint32_t request = WORD_FROM(node);
    struct thread *caller = &threads[REQUEST_CALLER(request)];
    told[node].sequence = REQUEST_SEQUENCE(request);
    told[node].result = services[REQUEST_CALL(request)](caller, REQUEST_ARGUMENT(request));
    tell(node, queue_first(&ready[node]));
}

// Requests that were there at the beginning: one of each node at most.
static void serve_pending(void) {
    const uint32_t pending = PENDING;
    for (uint32_t node = MASTER + 1; pending >> node; node++) {
        if (pending >> node & 1) {
            serve(node);
        }
    }
}

// --- The share of the master's own tasks ---------------------------------------------------------

static bool resting;           // requests wait
static uint32_t served_at;     // when the last requests had been served
static uint32_t served_cycles; // how long that took

static uint32_t rest_remaining(void) {
    const uint32_t rested = TIME_LOW - served_at;
    return rested < served_cycles ? served_cycles - rested : 0;
}

static void set_timer(void) {
    if (resting) {
        timer_set(sleep_remaining(rest_remaining()));
    } else {
        sleep_set_timer();
    }
}

static void rest(void) {
    resting = true;
    machine_disable(INTERRUPT_SOFTWARE);
    set_timer();
}

static void stop_resting(void) {
    resting = false;
    machine_enable(INTERRUPT_SOFTWARE);
}

static void wake_due(void) {
    for (struct thread *due = sleep_next_due(); due; due = sleep_next_due()) {
        wake(due, MASTER);
    }
    set_timer();
}

// Attends to whatever may have made a thread of the master ready; it has nothing else to do.
static struct thread *wait(void) {
    if (resting) {
        stop_resting();
        set_timer();
    }
    struct thread *first = NULL;
    while (!first) {
        machine_wait();
        serve_pending();
        if (machine_pending() & INTERRUPT_TIMER) {
            wake_due();
        }
        first = queue_first(&ready[MASTER]);
    }
    return first;
}

static struct thread *next(void) {
    struct thread *first = queue_first(&ready[MASTER]);
    return first ? first : wait();
}

struct thread *master_requested(struct thread *running) {
    const uint32_t begin = TIME_LOW;
    if (rest_remaining()) {
        rest();
        return running;
    }
    serve_pending();
    served_at = TIME_LOW;
    served_cycles = served_at - begin;
    if (PENDING) {
        rest();
    }
    return next();
}

struct thread *master_timer(void) {
    if (resting && !rest_remaining()) {
        stop_resting();
    }
    wake_due();
    return next();
}

// --- Calls of the master's own tasks -------------------------------------------------------------

static struct thread *leave(struct thread *self, enum nodes_result result) {
    self->a[0] = result;
    return next();
}

static struct thread *refuse(struct thread *self) {
    self->a[0] = NODES_ARGUMENT;
    return self;
}

static struct thread *yield(uint32_t one, uint32_t two, struct thread *self) {
    (void)one;
    (void)two;
    return queue_rotate(&ready[MASTER], self);
}

static struct thread *take(uint32_t semaphore, uint32_t two, struct thread *self) {
    (void)two;
    if (semaphore >= NODES_SEMAPHORES) {
        return refuse(self);
    }
    self->a[0] = NODES_OK;
    return take_or_wait(self, semaphore) ? self : next();
}

static struct thread *give(uint32_t semaphore, uint32_t two, struct thread *self) {
    (void)two;
    return semaphore < NODES_SEMAPHORES ? leave(self, serve_give(self, semaphore)) : refuse(self);
}

static struct thread *delay(uint32_t ticks, uint32_t two, struct thread *self) {
    (void)two;
    return leave(self, serve_delay(self, ticks));
}

static struct thread *create(uint32_t task, uint32_t two, struct thread *self) {
    (void)two;
    struct thread *thread = thread_create(task);
    if (!thread) {
        return thread_refuse_creation(task, self);
    }
    return leave(self, serve_create(self, task));
}

static struct thread *exit(uint32_t one, uint32_t two, struct thread *self) {
    (void)one;
    (void)two;
    serve_exit(self, 0);
    thread_prepare(self);
    return next();
}

static struct thread *set_priority(uint32_t priority, uint32_t two, struct thread *self) {
    (void)two;
    return thread_priority_is_valid(priority) ? leave(self, serve_priority(self, priority))
                                              : refuse(self);
}

static struct thread *init(uint32_t semaphore, uint32_t count, struct thread *self) {
    if (semaphore >= NODES_SEMAPHORES || count > NODES_COUNT_MAX) {
        return refuse(self);
    }
    return leave(self, serve_init(self, PAIR(semaphore, count)));
}

void master_boot(uint32_t tick_cycles) {
    calls[NODES_CALL_YIELD] = yield;
    calls[NODES_CALL_TAKE] = take;
    calls[NODES_CALL_GIVE] = give;
    calls[NODES_CALL_DELAY] = delay;
    calls[NODES_CALL_CREATE] = create;
    calls[NODES_CALL_EXIT] = exit;
    calls[NODES_CALL_PRIORITY] = set_priority;
    calls[NODES_CALL_INIT] = init;
    sleep_boot(tick_cycles);
    machine_enable(INTERRUPT_SOFTWARE | INTERRUPT_TIMER);
}

struct thread *master_start(struct thread *first) {
    if (first) {
        thread_create(first->index);
        queue_append(&ready[MASTER], first);
    }
    return next();
}
