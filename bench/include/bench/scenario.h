// SPDX-License-Identifier: MIT
//
// How a scenario declares itself: one constant table, `bench_scenario`, lists everything that the
// scenario uses.
//
// The table is constant, so that a static kernel can generate its own tables from it (the build
// reads it from the scenario's object file before the link) and a dynamic kernel can walk it at
// start-up. The index in the table identifies an object; bench/port.h wraps an index in its own
// type for each kind of object.
//
// Start-up is the same for every port: it creates every object, puts every task into its initial
// state and starts the kernel. No scenario code runs before that, and only the tasks' entry
// functions run after it.
#ifndef BENCH_SCENARIO_H
#define BENCH_SCENARIO_H

#include <stddef.h>
#include <stdint.h>

// Priorities are Thread-Metric's: 1 is the highest, BENCH_PRIORITY_LOWEST the lowest. A port maps
// them to the kernel's priorities and preserves equality and order.
#define BENCH_PRIORITY_HIGHEST 1
#define BENCH_PRIORITY_LOWEST 31

enum bench_initially {
    BENCH_READY,     // created, and ready when the kernel starts
    BENCH_SUSPENDED, // created, and suspended until bench_task_resume
    BENCH_ABSENT,    // not created until bench_task_create
};

// One task. A kernel that cannot create tasks at run time reports BENCH_ABSENT tasks as
// unsupported.
struct bench_task_declaration {
    const char *name;     // shown in traces
    void (*entry)(void);  // returns only if the scenario uses service `task-exit`
    uint16_t stack_bytes; // for the scenario's own calls; the port adds what its kernel needs
    uint8_t priority;     // 1 … 31
    uint8_t process;      // index into `processes`; 0 if the scenario declares none
    uint8_t node;         // index of the node that runs the task; 0 on one core
    uint8_t initially;    // enum bench_initially
    uint8_t uses_fpu;     // 1: the task executes floating-point instructions
};

// One process of an isolating kernel. Kernels without isolation ignore processes; a scenario that
// needs them lists service `process`. A task or object belongs to process 0 unless it names
// another.
struct bench_process_declaration {
    const char *name;
    uint8_t restarts; // after a fault: 1 restarts the process, 0 terminates it
};

// Every object has a process that owns it. An object that two processes use is *shared*: an
// isolating kernel grants each process in `users` (bit n: process n) the right to use it.
struct bench_semaphore_declaration {
    uint16_t initial, maximum; // counts
    uint8_t process;
    uint8_t users;
};

struct bench_mutex_declaration {
    uint8_t inherits; // 1: priority inheritance required, 0: the kernel's cheapest mutex
    uint8_t process;
    uint8_t users;
};

struct bench_flags_declaration {
    uint32_t initial; // bits
    uint8_t process;
    uint8_t users;
};

struct bench_queue_declaration {
    uint16_t capacity;      // messages
    uint16_t message_bytes; // a multiple of 4; every message has this size
    uint8_t process;
    uint8_t users;
};

struct bench_pool_declaration {
    uint16_t blocks;
    uint16_t block_bytes; // a multiple of 8
    uint8_t process;
    uint8_t users;
};

// A gate: a function of one process that tasks of other processes may call (service `call`).
struct bench_gate_declaration {
    // Runs in process `process` on behalf of the caller; `words` carry the arguments and the
    // results.
    void (*function)(uint32_t words[4]);
    uint8_t process;
    uint8_t users;
};

// A channel: a ring of messages, without priorities, in memory that all nodes share. One task sends
// and one other task receives. It is the cheapest transport that a kernel's semaphores allow.
struct bench_channel_declaration {
    uint16_t places; // messages that fit; an even number
    uint16_t words;  // longest message, in words
};

// A queue of the kernel's communication bus between nodes. Any task sends and receives, the most
// urgent message is received first, and the receiver inherits the message's priority.
struct bench_bus_declaration {
    uint16_t places; // messages that fit, each of at most BENCH_BUS_BYTES
};

#define BENCH_BUS_BYTES 128

// A condition variable, which tasks use with a mutex.
struct bench_condition_declaration {
    uint8_t process;
    uint8_t users;
};

struct bench_rwlock_declaration {
    uint8_t process;
    uint8_t users;
};

// A software timer: when it is due, it gives a semaphore.
struct bench_timer_declaration {
    uint32_t ticks;    // from the start until it is due
    uint8_t periodic;  // 1: it starts again by itself when it is due
    uint8_t semaphore; // index of the semaphore
    uint8_t process;
    uint8_t users;
};

// A buffer of messages, each with a length of its own. One task sends and one other receives.
struct bench_message_buffer_declaration {
    uint16_t bytes; // of all messages that fit, without what the kernel adds to each
    uint16_t messages;
    uint8_t process;
    uint8_t users;
};

struct bench_heap_declaration {
    uint32_t bytes; // of all blocks that are allocated at a time, without what the kernel adds
    uint8_t process;
    uint8_t users;
};

// The action of an interrupt. The kernel carries it out by its own documented means: a call from an
// interrupt handler, or a binding at build time. BENCH_INTERRUPT_HANDLER runs a function of the
// scenario in the interrupt's context; isolating kernels, which run no scenario code privileged,
// report service `interrupt-handler` as unsupported.
enum bench_interrupt_action {
    BENCH_INTERRUPT_POSTS,    // gives semaphore `object`
    BENCH_INTERRUPT_RESUMES,  // resumes task `object`
    BENCH_INTERRUPT_NOTIFIES, // notifies task `object`
    BENCH_INTERRUPT_HANDLER,  // calls `handler`
    BENCH_INTERRUPT_DELIVERS, // wakes task `object`, its driver (service `interrupt-driver`)
};

struct bench_interrupt_declaration {
    uint8_t action;        // enum bench_interrupt_action
    uint8_t object;        // index of the semaphore or task, by `action`
    uint8_t users;         // processes that may trigger it (bit n: process n)
    void (*handler)(void); // BENCH_INTERRUPT_HANDLER only
};

#define BENCH_TABLE(kind)                             \
    const struct bench_##kind##_declaration *kind##s; \
    size_t kind##_count

struct bench_scenario {
    const char *name; // as in suite.toml
    BENCH_TABLE(task);
    BENCH_TABLE(semaphore);
    const struct bench_mutex_declaration *mutexes;
    size_t mutex_count;
    const struct bench_flags_declaration *flags;
    size_t flags_count;
    BENCH_TABLE(queue);
    BENCH_TABLE(pool);
    const struct bench_process_declaration *processes;
    size_t process_count;
    BENCH_TABLE(gate);
    BENCH_TABLE(interrupt);
    BENCH_TABLE(channel);
    const struct bench_bus_declaration *buses;
    size_t bus_count;
    BENCH_TABLE(condition);
    BENCH_TABLE(rwlock);
    BENCH_TABLE(timer);
    BENCH_TABLE(message_buffer);
    BENCH_TABLE(heap);
};

#undef BENCH_TABLE

// Each scenario defines it once.
extern const struct bench_scenario bench_scenario;

// Sets pointer and count together: `.name = "…", BENCH_TASKS(my_tasks), BENCH_QUEUES(my_queues)`.
#define BENCH_COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define BENCH_TASKS(array) .tasks = (array), .task_count = BENCH_COUNT(array)
#define BENCH_SEMAPHORES(array) .semaphores = (array), .semaphore_count = BENCH_COUNT(array)
#define BENCH_MUTEXES(array) .mutexes = (array), .mutex_count = BENCH_COUNT(array)
#define BENCH_FLAGS(array) .flags = (array), .flags_count = BENCH_COUNT(array)
#define BENCH_QUEUES(array) .queues = (array), .queue_count = BENCH_COUNT(array)
#define BENCH_POOLS(array) .pools = (array), .pool_count = BENCH_COUNT(array)
#define BENCH_PROCESSES(array) .processes = (array), .process_count = BENCH_COUNT(array)
#define BENCH_GATES(array) .gates = (array), .gate_count = BENCH_COUNT(array)
#define BENCH_INTERRUPTS(array) .interrupts = (array), .interrupt_count = BENCH_COUNT(array)
#define BENCH_CHANNELS(array) .channels = (array), .channel_count = BENCH_COUNT(array)
#define BENCH_BUSES(array) .buses = (array), .bus_count = BENCH_COUNT(array)
#define BENCH_CONDITIONS(array) .conditions = (array), .condition_count = BENCH_COUNT(array)
#define BENCH_RWLOCKS(array) .rwlocks = (array), .rwlock_count = BENCH_COUNT(array)
#define BENCH_TIMERS(array) .timers = (array), .timer_count = BENCH_COUNT(array)
#define BENCH_MESSAGE_BUFFERS(array) \
    .message_buffers = (array), .message_buffer_count = BENCH_COUNT(array)
#define BENCH_HEAPS(array) .heaps = (array), .heap_count = BENCH_COUNT(array)

#endif
