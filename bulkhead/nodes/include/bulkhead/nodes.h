// SPDX-License-Identifier: MIT
//
// Bulkhead on several nodes: the calls of a task. They are the same with each of the three
// schedulers (central, semi-distributed, RTU) that an image can be linked with.
//
// Everything is declared: `struct nodes_system` names all tasks of all nodes, and a task is known
// on every node by its index in the table. Every node boots the same image and calls nodes_start
// with the same system; a task stays on its node. Semaphores are numbers, the same on every node.
//
// Each function is one system call, unless its comment says that it makes none. There are no
// timeouts, because the RTU has none and all three schedulers offer the same services. Only the
// mutexes are the RTU's alone.
#ifndef BULKHEAD_NODES_H
#define BULKHEAD_NODES_H

#include <stdint.h>

#ifndef NODES_MAX
#define NODES_MAX 4 // the number of nodes in the address map: 4 or 16 (rtl/README.md)
#endif
#define NODES_MAX_TASKS 64 // on all nodes
#define NODES_MAX_TASKS_PER_NODE 32
#define NODES_SEMAPHORES 32
#define NODES_COUNT_MAX 255 // maximum of a semaphore's count
#define NODES_MUTEXES 8     // available only with the RTU

// The longest tick. Times are 32-bit numbers in units of 64 cycles, and their differences are
// correct for a sleep of 65535 ticks of this length. The RTU's own limit is twice as high.
#define NODES_MAX_TICK_CYCLES (64u * 0x7fff)

// The part of the global memory that the tasks of all nodes share.
#define NODES_WINDOW 0x90020000u
#define NODES_WINDOW_BYTES 0x20000u
#define NODES_PRIORITY_LOWEST 1
#define NODES_PRIORITY_HIGHEST 31 // the most urgent priority

enum nodes_result {
    NODES_OK = 0,
    NODES_BAD_CALL, // there is no such call
    // this node has no such task, or the semaphore, priority or number of ticks is invalid
    NODES_ARGUMENT,
    NODES_FULL,      // the task exists already, or the count is at its maximum
    NODES_BUSY,      // tasks wait for the semaphore
    NODES_OWNER = 6, // the task owns the mutex that it locks, or does not own the one it unlocks
};

// Call numbers: the upper half of a7, of which the lower bits count. If the RTU has the call, the
// number is the same (rtl/README.md).
#define NODES_CALL_SHIFT 16

enum nodes_call {
    NODES_CALL_YIELD = 1,
    NODES_CALL_TAKE,
    NODES_CALL_GIVE,
    NODES_CALL_SIGNAL,
    NODES_CALL_DELAY,
    NODES_CALL_CREATE,
    NODES_CALL_EXIT,
    NODES_CALL_PRIORITY,
    NODES_CALL_INIT,
    NODES_CALL_QUEUE_INIT, // the calls of nodes_bus.h
    NODES_CALL_CLAIM,
    NODES_CALL_POST,
    NODES_CALL_ACCEPT,
    NODES_CALL_RELEASE,
    NODES_CALL_REQUEST,
    NODES_CALL_SELF,
    NODES_CALLS = 32, // size of the table of calls
};

struct nodes_task {
    void (*entry)(void); // when this function returns, the task ends
    void *stack;         // its lowest address; aligned to its size, a power of two
    uint32_t stack_bytes;
    // other memory that the task may read and write, under protection; aligned as the stack
    void *data;
    uint32_t data_bytes;
    uint8_t priority;
    uint8_t node;
};

struct nodes_system {
    const struct nodes_task *tasks;
    uint32_t task_count;
    // cycles of a tick: 64 … NODES_MAX_TICK_CYCLES, rounded down to a multiple of 64
    uint32_t tick_cycles;

    // Called in machine mode; NULL if there is no such function.
    // a task has faulted, and ends after this call
    void (*faulted)(uint32_t task, uint32_t cause, uint32_t pc);
    // the kernel cannot continue, and the node stops after this call
    void (*stopped)(const char *reason);
    // Handles a task's call of nodes_request. The argument may have any value.
    uint32_t (*request)(uint32_t argument);
};

// Defined by the platform if the kernel is built with devices/on, and called in machine mode.
// nodes_devices_start enables the devices of this node, which must have a task. nodes_device is
// called when an external interrupt is pending: it quiets the device that causes the interrupt, and
// returns the semaphore that the kernel gives; NODES_SEMAPHORES if no device causes it.
void nodes_devices_start(void);
uint32_t nodes_device(void);

// Starts the kernel. Every node calls it once, in machine mode. The first declared task of each
// node runs, and creates the others. A node without a task waits for ever; a declaration that
// cannot be run stops all nodes.
_Noreturn void nodes_start(const struct nodes_system *system);

// The number of this node, and the number of nodes. Reading them makes no system call.
extern uint32_t nodes_self, nodes_count;

// The argument of a call NODES_CALL_INIT, which sets the count of a semaphore. No argument has more
// than 16 bits.
#define NODES_INIT(semaphore, count) ((semaphore) | (count) << 8)
#define NODES_INIT_SEMAPHORE(argument) ((argument) & 0xff)
#define NODES_INIT_COUNT(argument) ((argument) >> 8)

// Makes a system call. The kernel preserves the registers that a C function preserves; the others
// are lost.
static inline uint32_t nodes_call(enum nodes_call number, uint32_t argument) {
    register uint32_t a0 __asm__("a0") = argument;
    register uint32_t a7 __asm__("a7") = (uint32_t)number << NODES_CALL_SHIFT;
    __asm__ volatile("ecall"
                     : "+r"(a0), "+r"(a7)
                     :
                     : "a1", "a2", "a3", "a4", "a5", "a6", "t0", "t1", "t2", "t3", "t4", "t5", "t6",
                       "memory");
    return a0;
}

// Returns the index of the calling task in the table.
static inline uint32_t nodes_task_self(void) {
    return nodes_call(NODES_CALL_SELF, 0);
}

// Puts the caller after the ready tasks of the same priority on this node.
static inline void nodes_yield(void) {
    nodes_call(NODES_CALL_YIELD, 0);
}

// Makes a declared task of this node ready.
static inline enum nodes_result nodes_create(uint32_t task) {
    return (enum nodes_result)nodes_call(NODES_CALL_CREATE, task);
}

_Noreturn static inline void nodes_exit(void) {
    for (;;) {
        nodes_call(NODES_CALL_EXIT, 0);
    }
}

// Blocks the caller for `ticks`, 1 … 65535.
static inline enum nodes_result nodes_delay(uint32_t ticks) {
    return (enum nodes_result)nodes_call(NODES_CALL_DELAY, ticks);
}

// Changes the caller's priority, and puts it after the ready tasks of that priority.
static inline enum nodes_result nodes_set_priority(uint32_t priority) {
    return (enum nodes_result)nodes_call(NODES_CALL_PRIORITY, priority);
}

// Takes one count of a semaphore, or waits for it. The most urgent waiting task comes first; tasks
// of the same priority are served in the order of their calls.
static inline enum nodes_result nodes_take(uint32_t semaphore) {
    return semaphore < NODES_SEMAPHORES ? (enum nodes_result)nodes_call(NODES_CALL_TAKE, semaphore)
                                        : NODES_ARGUMENT;
}

// Gives a semaphore: wakes the first waiting task, on any node, or adds one to the count if no task
// waits.
static inline enum nodes_result nodes_give(uint32_t semaphore) {
    return semaphore < NODES_SEMAPHORES ? (enum nodes_result)nodes_call(NODES_CALL_GIVE, semaphore)
                                        : NODES_ARGUMENT;
}

// Gives a semaphore as nodes_give does, but reports no error: the caller must know that the count
// is below its maximum. The caller therefore does not wait for the RTU to finish.
static inline void nodes_signal(uint32_t semaphore) {
    if (semaphore < NODES_SEMAPHORES) {
        nodes_call(NODES_CALL_SIGNAL, semaphore);
    }
}

// The argument of a take or a give that names a mutex (rtl/README.md).
#define NODES_MUTEX(mutex) ((mutex) | 1u << 8)

// Locks a mutex, or waits for it; the most urgent task first. While tasks of any node wait, the
// owner has at least their priority, and so has the owner of the mutex for which it waits itself. A
// task that ends unlocks its mutexes. Only with the RTU: the other schedulers return
// NODES_ARGUMENT.
static inline enum nodes_result nodes_lock(uint32_t mutex) {
    return mutex < NODES_MUTEXES
               ? (enum nodes_result)nodes_call(NODES_CALL_TAKE, NODES_MUTEX(mutex))
               : NODES_ARGUMENT;
}

// Unlocks a mutex of the caller. The first task that waits for the mutex becomes its owner.
static inline enum nodes_result nodes_unlock(uint32_t mutex) {
    return mutex < NODES_MUTEXES
               ? (enum nodes_result)nodes_call(NODES_CALL_GIVE, NODES_MUTEX(mutex))
               : NODES_ARGUMENT;
}

// Sets the count of a semaphore for which no task waits. All counts are 0 at the start.
static inline enum nodes_result nodes_semaphore_init(uint32_t semaphore, uint32_t count) {
    return semaphore < NODES_SEMAPHORES && count <= NODES_COUNT_MAX
               ? (enum nodes_result)nodes_call(NODES_CALL_INIT, NODES_INIT(semaphore, count))
               : NODES_ARGUMENT;
}

// Calls the platform's function `request` in machine mode, for example for the console.
static inline uint32_t nodes_request(uint32_t argument) {
    return nodes_call(NODES_CALL_REQUEST, argument);
}

#endif
