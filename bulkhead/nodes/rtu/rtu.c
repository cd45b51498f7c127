// SPDX-License-Identifier: MIT
//
// Scheduling by the real-time unit (rtl/README.md): the kernel posts a call, saves registers
// meanwhile, and resumes the thread that the answer names. Software keeps only the registers, and
// the map from the unit's identifiers to threads.
#include "machine.h"
#include "scheduler.h"

#define RTU(op, argument) MACHINE_REGISTER(0xc0000000 + ((op) << 18) + ((argument) << 2))
#define ANSWER MACHINE_REGISTER(0x11000000)

// Operations of the unit that are not calls of a task. All other operations have the numbers of the
// calls.
#define OP_NEXT 0
#define OP_TICK 10

#define UNIT_PRIORITY_HIGHEST 63u

#define ANSWER_NONE (1u << 30)
#define ANSWER_ERROR(answer) ((answer) >> 31)
#define ANSWER_CODE(answer) ((answer) >> 24 & 7)
#define ANSWER_CREATED(answer) ((answer) >> 8 & 63)
// the answer to a refused exit: a mutex that the task owns
#define ANSWER_MUTEX(answer) ANSWER_CREATED(answer)
#define ANSWER_NEXT(answer) ((answer) & 63)

// The threads, by their identifiers in the unit.
struct thread *rtu_threads[NODES_MAX_TASKS];

// Handles the answers that scheduler.inc leaves to C.
struct thread *rtu_settle(struct thread *self, uint32_t answer);

// Posts the call that gives the semaphore of a device, if one interrupts this node.
static void signal_for_device(void) {
    const uint32_t semaphore = device_quiet();
    if (semaphore < NODES_SEMAPHORES) {
        RTU(NODES_CALL_SIGNAL, semaphore) = 0;
    }
}

// Returns the thread to run. If there is none, waits for the unit's interrupt, which reports one.
static struct thread *next(uint32_t answer) {
    while (answer & ANSWER_NONE) {
        machine_wait();
        signal_for_device();
        answer = RTU(OP_NEXT, 0);
    }
    return rtu_threads[ANSWER_NEXT(answer)];
}

// Returns the thread to run after an unusual answer. The unit's errors have the numbers of the
// results, except the error for calls without a task, which no task can make.
struct thread *rtu_settle(struct thread *self, uint32_t answer) {
    if (ANSWER_ERROR(answer)) {
        return finish(self, ANSWER_CODE(answer));
    }
    self->a[0] = NODES_OK;
    return next(answer);
}

// Passes a call on to the unit, which checks the call's argument.
static struct thread *pass_on(uint32_t argument, struct thread *self, uint32_t call) {
    return argument > UINT16_MAX ? finish(self, NODES_ARGUMENT)
                                 : rtu_settle(self, RTU(call, argument));
}

// Ends a task that owns mutexes. The unit refuses to end it, and each refusal names one of its
// mutexes. While the task unlocks them, it has a priority above all others, so that it stays the
// current task of the node.
static uint32_t exit_owner(const struct thread *self) {
    (void)RTU(NODES_CALL_PRIORITY, UNIT_PRIORITY_HIGHEST << 8 | self->place);
    uint32_t answer = RTU(NODES_CALL_EXIT, 0);
    while (ANSWER_ERROR(answer)) {
        (void)RTU(NODES_CALL_GIVE, NODES_MUTEX(ANSWER_MUTEX(answer)));
        answer = RTU(NODES_CALL_EXIT, 0);
    }
    return answer;
}

static struct thread *exit_task(uint32_t argument, struct thread *self, uint32_t call) {
    (void)argument;
    (void)call;
    thread_prepare(self);
    const uint32_t answer = RTU(NODES_CALL_EXIT, 0);
    return next(ANSWER_ERROR(answer) ? exit_owner(self) : answer);
}

static struct thread *set_priority(uint32_t priority, struct thread *self, uint32_t call) {
    (void)call;
    if (!thread_priority_is_valid(priority)) {
        return finish(self, NODES_ARGUMENT);
    }
    return rtu_settle(self, RTU(NODES_CALL_PRIORITY, priority << 8 | self->place));
}

struct thread *interrupt_external(struct thread *running) {
    (void)running;
    signal_for_device();
    return next(RTU(OP_NEXT, 0));
}

// Handlers of interrupts that the kernel does not use or enable.
struct thread *interrupt_software(struct thread *running) {
    return running;
}

struct thread *interrupt_timer(struct thread *running) {
    return running;
}

void scheduler_boot(uint32_t tick_cycles) {
    calls[NODES_CALL_DELAY] = pass_on;
    calls[NODES_CALL_EXIT] = exit_task;
    calls[NODES_CALL_PRIORITY] = set_priority;
    calls[NODES_CALL_INIT] = pass_on;
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
        thread_create(first->index);
        first->place = ANSWER_CREATED(answer);
        rtu_threads[first->place] = first;
    }
    return next(answer);
}
