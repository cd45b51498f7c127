// SPDX-License-Identifier: MIT
//
// Starts a node: its threads, its scheduler, then its first task. The other nodes wait until the
// master is ready, so that no node finds shared state that is not initialised.
#include "bus.h"
#include "devices.h"
#include "machine.h"
#include "protection.h"
#include "scheduler.h"

// Marks data that tasks may read and must not write.
#define PUBLIC __attribute__((section(".nodes.public")))

PUBLIC uint32_t nodes_self, nodes_count;

const struct nodes_system *kernel_system;

struct thread threads[NODES_MAX_TASKS] __attribute__((aligned(THREADS_ALIGNMENT)));

_Noreturn void kernel_resume(struct thread *thread);
extern const char kernel_vectors[];

#define VECTORED 1u
#define ENABLED_AFTER_TRAP (1u << 7) // mstatus.MPIE

// The return address of a task's entry function: ends the task.
static void task_returned(void) {
    nodes_exit();
}

void thread_prepare(struct thread *thread) {
    const struct nodes_task *task = thread->declaration;
    thread->pc = (uint32_t)task->entry;
    thread->ra = (uint32_t)task_returned;
    thread->sp = (uint32_t)task->stack + task->stack_bytes;
    thread->level = thread_level(task->priority);
    thread->base = (uint8_t)thread->level;
    thread->inherits = false;
    thread->dormant = DORMANT(task->priority);
}

struct thread *thread_refuse_creation(uint32_t task, struct thread *self) {
    const bool here =
        task < NODES_MAX_TASKS && threads[task].declaration && threads[task].node == self->node;
    return finish(self, here ? NODES_FULL : NODES_ARGUMENT);
}

// refuse_task and refuse return the reason why a declaration cannot be run, or NULL. With an
// accepted declaration, no index of the kernel is outside its table, and each region of the
// protection unit is the declared one.

static const char *refuse_task(const struct nodes_task *task) {
    if (task->node >= NODES_MAX) {
        return "a task is of a node that cannot be";
    }
    if (!thread_priority_is_valid(task->priority)) {
        return "a task has no priority";
    }
    if (!protection_can(task->stack, task->stack_bytes) ||
        !protection_can(task->data, task->data_bytes)) {
        return "a task's stack or data are not aligned to their size, a power of two";
    }
    return NULL;
}

static const char *refuse(const struct nodes_system *system) {
    uint32_t places[NODES_MAX] = {0};
    if (system->task_count > NODES_MAX_TASKS) {
        return "there are too many tasks";
    }
    if (system->tick_cycles < UNIT_CYCLES || system->tick_cycles > NODES_MAX_TICK_CYCLES) {
        return "a tick is too short or too long";
    }
    for (uint32_t i = 0; i < system->task_count; i++) {
        const struct nodes_task *task = &system->tasks[i];
        const char *reason = refuse_task(task);
        if (reason) {
            return reason;
        }
        if (++places[task->node] > NODES_MAX_TASKS_PER_NODE) {
            return "a node has too many tasks";
        }
    }
    return NULL;
}

// Fills in the table of all threads. Returns the first thread of this node; NULL if there is none.
static struct thread *declare(const struct nodes_system *system) {
    uint32_t places[NODES_MAX] = {0};
    struct thread *first = NULL;
    for (uint32_t i = 0; i < system->task_count; i++) {
        const struct nodes_task *task = &system->tasks[i];
        struct thread *thread = &threads[i];
        thread->declaration = task;
        thread->node = task->node;
        thread->index = (uint8_t)i;
        thread->place = (uint8_t)places[task->node]++;
        thread->stack_region = protection_region(task->stack, task->stack_bytes);
        thread->data_region = protection_region(task->data, task->data_bytes);
        if (task->node == nodes_self) {
            thread_prepare(thread);
            first = first ? first : thread;
        }
    }
    return first;
}

static void wait_for_master(void) {
    for (uint32_t node = 1; nodes_self == 0 && node < nodes_count; node++) {
        RING_BITS(node) = 1;
    }
    while (nodes_self != 0 && !BITS) {
    }
}

void nodes_start(const struct nodes_system *system) {
    __asm__ volatile("csrr %0, mhartid" : "=r"(nodes_self));
    nodes_count = NODE_COUNT;
    kernel_system = system;
    const char *refusal = refuse(system);
    if (refusal) {
        kernel_stop(refusal);
    }
    __asm__ volatile("csrw mtvec, %0" ::"r"((uint32_t)kernel_vectors | VECTORED));
    __asm__ volatile("csrc mstatus, %0" ::"r"(PREVIOUS_MODE));
    __asm__ volatile("csrs mstatus, %0" ::"r"(PROTECTION_MODE | ENABLED_AFTER_TRAP));
    struct thread *first = declare(system);
    protection_boot();
    calls_boot();
    scheduler_boot(system->tick_cycles);
    devices_boot();
    bus_boot();
    wait_for_master();
    kernel_resume(scheduler_start(first));
}
