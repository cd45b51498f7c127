// SPDX-License-Identifier: MIT
//
// The master: it schedules the threads of all nodes. Its handlers serve the calls of its own tasks
// and the requests of the other nodes alike.
//
// The other nodes could keep it busy for ever. Therefore its own tasks, while one is ready, have
// half of its time at least: requests wait for that.
#include "central.h"
#include "queue.h"
#include "sleep.h"
#include "words.h"

// The ready threads of each node.
static struct queue ready[NODES_MAX];

static struct {
    uint32_t count;
    struct queue waiting;
} semaphores[NODES_SEMAPHORES];

// What each other node was told last: the first of its ready threads, NULL if there is none.
static struct {
    struct thread *decided;
    uint32_t sequence, result; // of its last request
    uint32_t unused;           // a power of two is quicker to index
} told[NODES_MAX];

static void tell(uint32_t node, struct thread *decided) {
    const uint32_t thread = decided ? decided->index : DECISION_NONE;
    told[node].decided = decided;
    RING_WORD(node) = DECISION(told[node].sequence, told[node].result, thread);
}

// Readies a thread and tells its node, unless that is `answered` anyway, or the master.
static void wake(struct thread *thread, uint32_t answered) {
    const uint32_t node = thread->node;
    queue_append(&ready[node], thread);
    if (node != MASTER && node != answered) {
        const struct thread *decided = told[node].decided;
        if (!decided || thread->level < decided->level) {
            tell(node, thread);
        }
    }
}

// --- Handlers ------------------------------------------------------------------------------------
// For `self` of any node: they return the thread that its node is to run if it runs `self` now.

static struct thread *wait(void);
static void set_timer(void);

// The thread that the node is to run. Only the master waits for one.
static struct thread *next(uint32_t node) {
    struct thread *first = queue_first(&ready[node]);
    return first || node != MASTER ? first : wait();
}

static struct thread *end(struct thread *self, enum nodes_result result) {
    self->a[0] = result;
    return self;
}

static struct thread *yield(uint32_t argument, struct thread *self, uint32_t call) {
    (void)argument;
    (void)call;
    return queue_rotate(&ready[self->node], self);
}

static struct thread *take(uint32_t semaphore, struct thread *self, uint32_t call) {
    (void)call;
    if (semaphore >= NODES_SEMAPHORES) {
        return end(self, NODES_ARGUMENT);
    }
    self->a[0] = NODES_OK;
    if (semaphores[semaphore].count) {
        semaphores[semaphore].count--;
        return self;
    }
    queue_remove(&ready[self->node], self);
    queue_append(&semaphores[semaphore].waiting, self);
    return next(self->node);
}

// Wakes `thread` on behalf of `self`.
static struct thread *end_waking(struct thread *self, struct thread *thread) {
    self->a[0] = NODES_OK;
    wake(thread, self->node);
    return thread->node == self->node && thread->level < self->level ? thread : self;
}

static struct thread *give(uint32_t semaphore, struct thread *self, uint32_t call) {
    (void)call;
    if (semaphore >= NODES_SEMAPHORES) {
        return end(self, NODES_ARGUMENT);
    }
    struct thread *first = queue_first(&semaphores[semaphore].waiting);
    if (first) {
        queue_remove(&semaphores[semaphore].waiting, first);
        return end_waking(self, first);
    }
    if (semaphores[semaphore].count == NODES_COUNT_MAX) {
        return end(self, NODES_FULL);
    }
    semaphores[semaphore].count++;
    return end(self, NODES_OK);
}

static struct thread *init(uint32_t argument, struct thread *self, uint32_t call) {
    (void)call;
    const uint32_t semaphore = NODES_INIT_SEMAPHORE(argument);
    if (semaphore >= NODES_SEMAPHORES || NODES_INIT_COUNT(argument) > NODES_COUNT_MAX) {
        return end(self, NODES_ARGUMENT);
    }
    if (queue_first(&semaphores[semaphore].waiting)) {
        return end(self, NODES_BUSY);
    }
    semaphores[semaphore].count = NODES_INIT_COUNT(argument);
    return end(self, NODES_OK);
}

static struct thread *delay(uint32_t ticks, struct thread *self, uint32_t call) {
    (void)call;
    self->a[0] = sleep_begin(self, ticks);
    if (self->a[0] != NODES_OK) {
        return self;
    }
    set_timer();
    queue_remove(&ready[self->node], self);
    return next(self->node);
}

static struct thread *create(uint32_t task, struct thread *self, uint32_t call) {
    (void)call;
    const bool here = task < NODES_MAX_TASKS && threads[task].node == self->node;
    struct thread *thread = here ? thread_create(task) : NULL;
    return thread ? end_waking(self, thread) : thread_refuse_creation(task, self);
}

static struct thread *exit_task(uint32_t argument, struct thread *self, uint32_t call) {
    (void)argument;
    (void)call;
    queue_remove(&ready[self->node], self);
    thread_prepare(self);
    return next(self->node);
}

static struct thread *set_priority(uint32_t priority, struct thread *self, uint32_t call) {
    (void)call;
    if (!thread_priority_is_valid(priority)) {
        return end(self, NODES_ARGUMENT);
    }
    self->a[0] = NODES_OK;
    queue_remove(&ready[self->node], self);
    self->level = thread_level(priority);
    queue_append(&ready[self->node], self);
    return next(self->node);
}

// --- Requests ------------------------------------------------------------------------------------

// The caller may be another thread than the one that the node was told to run, if that has not got
// there yet; it is the more urgent one, and stays so unless the call makes ready one that is even
// more so.
static struct thread *decide(const struct thread *caller, struct thread *told_now,
                             struct thread *next_if_caller_runs) {
    if (!told_now || told_now == caller || next_if_caller_runs->level < told_now->level) {
        return next_if_caller_runs;
    }
    return told_now;
}

// Not inlined, so that who serves nothing saves no registers for it.
__attribute__((noinline)) static void serve(uint32_t node) {
    const uint32_t request = WORD_FROM(node), call = REQUEST_CALL(request);
    struct thread *caller = &threads[REQUEST_CALLER(request)];
    struct thread *next = calls[call](REQUEST_ARGUMENT(request), caller, call);
    told[node].sequence = REQUEST_SEQUENCE(request);
    told[node].result = caller->a[0];
    tell(node, decide(caller, told[node].decided, next));
}

// Requests that are there at the beginning: one of each node at most.
static void serve_pending(void) {
    const uint32_t pending = PENDING;
    if (pending & 1u << 1) {
        serve(1);
    }
    if (pending & 1u << 2) {
        serve(2);
    }
    if (pending & 1u << 3) {
        serve(3);
    }
}

// --- The share of the master's own tasks ---------------------------------------------------------

// The time that requests have taken from the tasks which could have run meanwhile is a debt. It
// goes down while they run, and is nothing once they have nothing to do. At DEBT_MAX requests wait
// until it is paid. So in the long run the tasks have half of the time, and no request waits for
// longer than about DEBT_MAX and what one round of requests takes.
#define DEBT_MAX 1000   // cycles
#define TRAP_CYCLES 100 // of a trap besides its handler

static uint32_t debt;    // cycles
static uint32_t left_at; // when the debt was reckoned
static bool resting;     // requests wait: the timer ends it

static void pay(uint32_t now) {
    const uint32_t paid = now - left_at;
    debt = paid < debt ? debt - paid : 0;
    left_at = now;
}

static void set_timer(void) {
    if (resting) {
        pay(TIME_LOW);
        timer_set(sleep_remaining(debt));
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
    debt = 0;
    machine_enable(INTERRUPT_SOFTWARE);
}

static void wake_due(void) {
    for (struct thread *due = sleep_next_due(); due; due = sleep_next_due()) {
        wake(due, MASTER);
    }
    set_timer();
}

// Attends to whatever may have made a thread of the master ready; it has nothing else to do.
__attribute__((noinline)) static struct thread *wait(void) {
    debt = 0;
    if (resting) {
        stop_resting();
        set_timer();
    }
    struct thread *first;
    do {
        machine_wait();
        serve_pending();
        if (machine_pending() & INTERRUPT_TIMER) {
            wake_due();
        }
        first = queue_first(&ready[MASTER]);
    } while (!first);
    return first;
}

struct thread *master_requested(struct thread *running) {
    const uint32_t begin = TIME_LOW;
    (void)running;
    pay(begin);
    serve_pending();
    left_at = TIME_LOW;
    debt += left_at - begin + 2 * TRAP_CYCLES; // once more, for pay() takes it for the tasks' time
    if (debt >= DEBT_MAX) {
        rest();
    }
    return queue_first(&ready[MASTER]);
}

struct thread *master_timer(void) {
    if (resting) {
        pay(TIME_LOW);
        if (!debt) {
            stop_resting();
        }
    }
    wake_due();
    return queue_first(&ready[MASTER]);
}

void master_boot(uint32_t tick_cycles) {
    for (uint32_t i = 0; i < NODES_MAX_TASKS; i++) {
        if (threads[i].declaration) {
            thread_prepare(&threads[i]);
        }
    }
    calls[NODES_CALL_YIELD] = yield;
    calls[NODES_CALL_TAKE] = take;
    calls[NODES_CALL_GIVE] = give;
    calls[NODES_CALL_SIGNAL] = give;
    calls[NODES_CALL_DELAY] = delay;
    calls[NODES_CALL_CREATE] = create;
    calls[NODES_CALL_EXIT] = exit_task;
    calls[NODES_CALL_PRIORITY] = set_priority;
    calls[NODES_CALL_INIT] = init;
    sleep_boot(tick_cycles);
    machine_enable(INTERRUPT_SOFTWARE | INTERRUPT_TIMER);
}

struct thread *master_start(struct thread *first) {
    if (first) {
        queue_append(&ready[MASTER], thread_create(first->index));
    }
    return next(MASTER);
}
