// SPDX-License-Identifier: MIT
//
// Scheduling by the real-time unit (rtl/README.md): the kernel posts a call, saves registers
// meanwhile and resumes the thread that the answer names. What remains in software is the registers
// and which thread belongs to which of the unit's identifiers.
#include "machine.h"
#include "scheduler.h"

#define RTU(op, argument) MACHINE_REGISTER(0xc0000000 + ((op) << 18) + ((argument) << 2))
#define ANSWER MACHINE_REGISTER(0x11000000)

// Operations that are no calls of a task. All others have the numbers of the calls.
#define OP_NEXT 0
#define OP_TICK 10
#define UNIT_CYCLES 64

#define ANSWER_NONE (1u << 30)
#define ANSWER_ERROR(answer) ((answer) >> 31)
#define ANSWER_CODE(answer) ((answer) >> 24 & 7)
#define ANSWER_CREATED(answer) ((answer) >> 8 & 63)
#define ANSWER_NEXT(answer) ((answer)&63)

// By the unit's identifier.
struct thread *rtu_threads[NODES_MAX_TASKS];

call_handler rtu_call;

// The thread to run. Waits if there is none: the unit's interrupt says that there is one again.
static struct thread *next(uint32_t answer) {
    while (answer & ANSWER_NONE) {
        machine_wait();
        answer = RTU(OP_NEXT, 0);
    }
    return rtu_threads[ANSWER_NEXT(answer)];
}

// The unit's errors have the numbers of the results, but for calls without a task, which no task
// can make.
__attribute__((noinline)) static struct thread *settle(uint32_t answer, struct thread *self) {
    if (ANSWER_ERROR(answer)) {
        self->a[0] = ANSWER_CODE(answer);
        return self;
    }
    self->a[0] = NODES_OK;
    return next(answer);
}

struct thread *rtu_unusual(uint32_t answer, struct thread *self) {
    return settle(answer, self);
}

static struct thread *refuse(struct thread *self) {
    self->a[0] = NODES_ARGUMENT;
    return self;
}

static void adopt(struct thread *thread, uint32_t identifier) {
    thread->state = THREAD_ALIVE;
    thread->place = (uint8_t)identifier;
    rtu_threads[identifier] = thread;
}

static struct thread *create(uint32_t task, uint32_t two, struct thread *self) {
    (void)two;
    struct thread *thread = thread_dormant(task);
    if (!thread) {
        return thread_not_dormant(task, self);
    }
    RTU(NODES_CALL_CREATE, NODES_PRIORITY_HIGHEST - thread->level) = 0;
    self->a[0] = NODES_OK;
    const uint32_t answer = ANSWER;
    if (ANSWER_ERROR(answer)) {
        return settle(answer, self);
    }
    adopt(thread, ANSWER_CREATED(answer));
    return rtu_threads[ANSWER_NEXT(answer)];
}

static struct thread *exit(uint32_t one, uint32_t two, struct thread *self) {
    (void)one;
    (void)two;
    thread_prepare(self);
    return next(RTU(NODES_CALL_EXIT, 0));
}

static struct thread *set_priority(uint32_t priority, uint32_t two, struct thread *self) {
    (void)two;
    if (!thread_priority_is_valid(priority)) {
        return refuse(self);
    }
    return settle(RTU(NODES_CALL_PRIORITY, priority << 8 | self->place), self);
}

static struct thread *init(uint32_t semaphore, uint32_t count, struct thread *self) {
    if (semaphore >= NODES_SEMAPHORES || count > NODES_COUNT_MAX) {
        return refuse(self);
    }
    return settle(RTU(NODES_CALL_INIT, count << 8 | semaphore), self);
}

struct thread *interrupt_external(struct thread *running) {
    (void)running;
    return next(RTU(OP_NEXT, 0));
}

// No interrupts of the kernel's; they are not enabled.
struct thread *interrupt_software(struct thread *running) {
    return running;
}

struct thread *interrupt_timer(struct thread *running) {
    return running;
}

void scheduler_boot(uint32_t tick_cycles) {
    calls[NODES_CALL_YIELD] = rtu_call;
    calls[NODES_CALL_TAKE] = rtu_call;
    calls[NODES_CALL_GIVE] = rtu_call;
    calls[NODES_CALL_DELAY] = rtu_call;
    calls[NODES_CALL_CREATE] = create;
    calls[NODES_CALL_EXIT] = exit;
    calls[NODES_CALL_PRIORITY] = set_priority;
    calls[NODES_CALL_INIT] = init;
    if (nodes_self == 0) {
        RTU(OP_TICK, tick_cycles / UNIT_CYCLES) = 0;
        (void)ANSWER;
    }
    machine_enable(INTERRUPT_EXTERNAL);
}

struct thread *scheduler_start(struct thread *first) {
    uint32_t answer = RTU(OP_NEXT, 0);
    if (first) {
        answer = RTU(NODES_CALL_CREATE, NODES_PRIORITY_HIGHEST - first->level);
        adopt(first, ANSWER_CREATED(answer));
    }
    return next(answer);
}
