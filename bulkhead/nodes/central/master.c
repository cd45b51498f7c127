// SPDX-License-Identifier: MIT
//
// The master: it schedules the threads of all nodes. Its handlers serve the calls of its own tasks
// and the requests of the other nodes alike.
//
// The other nodes could keep the master busy for ever, by requests or by sleeping. Therefore the
// master's own tasks get at least half of its time while one of them is ready: requests and
// sleepers wait for that.
#include "central.h"
#include "levels.h"
#include "queue.h"
#include "sleep.h"
#include "words.h"

static struct node {
    struct queue ready;
    uint32_t answer; // last request of this node that was answered; unused for the master
} nodes[NODES_MAX];

static struct semaphore {
    uint32_t count;
    struct queue waiting;
} semaphores[NODES_SEMAPHORES];

// Sends a node a word with the first of its ready threads, which the node then runs.
static void tell(uint32_t node, const struct thread *first) {
    RING_WORD(node) = nodes[node].answer | (first ? first->index : DECISION_NONE);
}

// Readies a thread and sends its node the thread to run. Sends nothing to the node `answered`,
// which gets a word anyway, or to the master.
static inline void wake(struct thread *thread, uint32_t answered) {
    const uint32_t node = thread->node;
    if (node != MASTER && node != answered) {
        const struct thread *first = queue_first(&nodes[node].ready);
        if (!first || thread->level < first->level) {
            tell(node, thread);
        }
    }
    queue_append(&nodes[node].ready, thread);
}

// --- Handlers ------------------------------------------------------------------------------------
// Each handler executes a call of the thread `self`, on any node. The returned thread, which runs
// next, matters only for calls of the master's own tasks.

static struct thread *wait(void);
static void set_timer(void);

// Returns the first ready thread of the master. If there is none, waits for one if the call came
// from the master; for a call of another `node` returns NULL, which serve() ignores.
static struct thread *next(uint32_t node) {
    struct thread *first = queue_first(&nodes[MASTER].ready);
    return first || node != MASTER ? first : wait();
}

static struct thread *yield(uint32_t argument, struct thread *self, uint32_t call) {
    (void)argument;
    (void)call;
    return queue_rotate(&nodes[self->node].ready, self);
}

// Not inlined, like wake_first, so that a call that need not wait saves no registers for it.
__attribute__((noinline)) static struct thread *wait_for(struct semaphore *semaphore,
                                                         struct thread *self) {
    const uint32_t node = self->node;
    queue_remove(&nodes[node].ready, self);
    queue_append(&semaphore->waiting, self);
    return next(node);
}

static struct thread *take(uint32_t number, struct thread *self, uint32_t call) {
    (void)call;
    if (number >= NODES_SEMAPHORES) {
        return finish(self, NODES_ARGUMENT);
    }
    struct semaphore *semaphore = &semaphores[number];
    self->a[0] = NODES_OK;
    if (!semaphore->count) {
        return wait_for(semaphore, self);
    }
    semaphore->count--;
    return self;
}

// Wakes `thread` on behalf of `self`.
static inline struct thread *end_waking(struct thread *self, struct thread *thread) {
    self->a[0] = NODES_OK;
    wake(thread, self->node);
    return queue_first(&nodes[MASTER].ready);
}

__attribute__((noinline)) static struct thread *wake_first(struct semaphore *semaphore,
                                                           struct thread *self) {
    struct thread *first = queue_first(&semaphore->waiting);
    queue_remove(&semaphore->waiting, first);
    return end_waking(self, first);
}

static struct thread *give(uint32_t number, struct thread *self, uint32_t call) {
    (void)call;
    if (number >= NODES_SEMAPHORES) {
        return finish(self, NODES_ARGUMENT);
    }
    struct semaphore *semaphore = &semaphores[number];
    if (queue_first(&semaphore->waiting)) {
        return wake_first(semaphore, self);
    }
    if (semaphore->count == NODES_COUNT_MAX) {
        return finish(self, NODES_FULL);
    }
    semaphore->count++;
    return finish(self, NODES_OK);
}

static struct thread *init(uint32_t argument, struct thread *self, uint32_t call) {
    (void)call;
    const uint32_t semaphore = NODES_INIT_SEMAPHORE(argument);
    if (semaphore >= NODES_SEMAPHORES || NODES_INIT_COUNT(argument) > NODES_COUNT_MAX) {
        return finish(self, NODES_ARGUMENT);
    }
    if (queue_first(&semaphores[semaphore].waiting)) {
        return finish(self, NODES_BUSY);
    }
    semaphores[semaphore].count = NODES_INIT_COUNT(argument);
    return finish(self, NODES_OK);
}

static struct thread *delay(uint32_t ticks, struct thread *self, uint32_t call) {
    (void)call;
    self->a[0] = sleep_begin(self, ticks);
    if (self->a[0] != NODES_OK) {
        return self;
    }
    set_timer();
    queue_remove(&nodes[self->node].ready, self);
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
    queue_remove(&nodes[self->node].ready, self);
    thread_prepare(self);
    return next(self->node);
}

static struct thread *set_priority(uint32_t priority, struct thread *self, uint32_t call) {
    (void)call;
    if (!thread_priority_is_valid(priority)) {
        return finish(self, NODES_ARGUMENT);
    }
    self->a[0] = NODES_OK;
    queue_remove(&nodes[self->node].ready, self);
    self->level = thread_level(priority);
    queue_append(&nodes[self->node].ready, self);
    return next(self->node);
}

// --- Requests ------------------------------------------------------------------------------------

// Serves a request of a node. Not inlined, so that a caller without requests saves no registers for
// it.
__attribute__((noinline)) static void serve(uint32_t node) {
    const uint32_t request = WORD_FROM(node), call = REQUEST_CALL(request);
    struct thread *caller = &threads[REQUEST_CALLER(request)];
    (void)calls[call](REQUEST_ARGUMENT(request), caller, call);
    nodes[node].answer = ANSWER(REQUEST_SEQUENCE(request), caller->a[0]);
    tell(node, queue_first(&nodes[node].ready));
}

#define WORDS_OF_OTHERS ((1u << NODES_MAX) - (1u << 4)) // bits of the words of nodes 4 and above

static inline void serve_others(uint32_t pending) {
    for (; pending; pending &= pending - 1) {
        serve(levels_lowest(pending));
    }
}

// Serves the requests that are present at the beginning: at most one of each node.
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
    if (NODES_MAX > 4) {
        serve_others(pending & WORDS_OF_OTHERS);
    }
}

// --- The share of the master's own tasks ---------------------------------------------------------

// The debt is the time that requests and sleepers have taken from the master's own tasks while one
// of these was ready. The debt decreases while the master's tasks run, and is 0 when none of them
// is ready. At DEBT_MAX, requests and sleepers, including the master's own, wait until the debt is
// paid. So in the long run the master's tasks have half of the time. A request or sleeper waits no
// longer than about DEBT_MAX and the time of one round of requests and WAKES_MAX sleepers, not
// counting sleepers that were due before.
#define WAKES_MAX 4     // sleepers woken in one trap
#define DEBT_MAX 1000   // cycles
#define DEBT_LIMIT 8000 // higher than the debt that any round can reach
// Cycles of a trap outside its handler. They are added twice, because the debt decreases during
// them as if a task were running.
#define TRAP_CYCLES 100

static uint32_t paid_at; // time at which the debt will be, or was, paid; may be long ago
static bool resting;     // requests wait until the timer ends this rest

static uint32_t debt_at(uint32_t now) {
    const uint32_t debt = paid_at - now;
    return debt < DEBT_LIMIT ? debt : 0;
}

static void set_timer(void) {
    if (resting) {
        timer_set(debt_at(TIME_LOW));
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

// Wakes threads that are due. If some remain due, the timer interrupts again at once. Not inlined,
// so that a caller that waits saves no registers for it.
__attribute__((noinline)) static void wake_due(void) {
    struct thread *due;
    for (uint32_t wakes = 0; wakes < WAKES_MAX && (due = sleep_next_due()); wakes++) {
        wake(due, MASTER);
    }
    set_timer();
}

// Waits until a thread of the master is ready, and serves requests and sleepers meanwhile.
__attribute__((noinline)) static struct thread *wait(void) {
    paid_at = TIME_LOW;
    if (resting) {
        stop_resting();
        set_timer();
    }
    struct thread *first;
    do {
        machine_wait();
        serve_pending();
        first = queue_first(&nodes[MASTER].ready);
        if (!first && machine_pending() & INTERRUPT_TIMER) {
            wake_due();
            first = queue_first(&nodes[MASTER].ready);
        }
        if (!first && device_is_pending()) {
            (void)give_for_device(thread_last());
            first = queue_first(&nodes[MASTER].ready);
        }
    } while (!first);
    return first;
}

// Adds the time of work for other threads, which began at `begin` with `debt`, to the debt.
static struct thread *charge(uint32_t begin, uint32_t debt) {
    const uint32_t end = TIME_LOW, now_owed = debt + end - begin + 2 * TRAP_CYCLES;
    paid_at = end + now_owed;
    if (now_owed >= DEBT_MAX) {
        rest();
    }
    return queue_first(&nodes[MASTER].ready);
}

struct thread *master_requested(struct thread *running) {
    const uint32_t begin = TIME_LOW, debt = debt_at(begin);
    (void)running;
    serve_pending();
    return charge(begin, debt);
}

// Handles the timer interrupt. After a rest, serves requests as well as sleepers, so neither delays
// the other for ever.
struct thread *master_timer(void) {
    const uint32_t begin = TIME_LOW, debt = debt_at(begin);
    if (resting) {
        stop_resting();
        serve_pending();
    }
    wake_due();
    return charge(begin, debt);
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
        queue_append(&nodes[MASTER].ready, thread_create(first->index));
    }
    return next(MASTER);
}
