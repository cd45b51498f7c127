// SPDX-License-Identifier: MIT
//
// How a scenario declares itself: one constant table, `bench_scenario`, of everything it will use.
//
// The table is constant so that a static kernel can build its own tables from it (it is readable in
// the scenario's object file before the link) and a dynamic kernel can walk it at start-up. Objects
// are known by their index in the table; bench/port.h wraps an index in a type of its own for each
// kind.
//
// Start-up, the same for every port: every object is created, every task is put into its initial
// state, the kernel starts. No scenario code runs before that, and none but the tasks' entries
// after.
#ifndef BENCH_SCENARIO_H
#define BENCH_SCENARIO_H

#include <stddef.h>
#include <stdint.h>

// 1 is the highest priority and BENCH_PRIORITY_LOWEST the lowest: Thread-Metric's numbering. A port
// maps the numbers to the kernel's so that equal stays equal and order is kept.
#define BENCH_PRIORITY_HIGHEST 1
#define BENCH_PRIORITY_LOWEST 31

enum bench_initially {
    BENCH_READY,     // runs as soon as the kernel schedules it
    BENCH_SUSPENDED, // created, and suspended until bench_task_resume
    BENCH_ABSENT,    // does not exist until bench_task_create
};

// One task. A kernel without tasks that come to life later reports BENCH_ABSENT ones as
// unsupported.
struct bench_task_declaration {
    const char *name;    // shown in traces
    void (*entry)(void); // must not return, unless the scenario uses service `task-exit`
    uint16_t
        stack_bytes;   // for the scenario's own calls; the port adds what its kernel needs on top
    uint8_t priority;  // 1 … 31
    uint8_t process;   // index into `processes`; 0 where the scenario declares none
    uint8_t node;      // 0 on one core
    uint8_t initially; // enum bench_initially
    uint8_t uses_fpu;  // 1: the task executes floating-point instructions
};

// One process of an isolating kernel. Kernels without isolation ignore processes; a scenario that
// needs them lists service `process`. Everything not assigned elsewhere belongs to process 0.
struct bench_process_declaration {
    const char *name;
    uint8_t restarts; // 1: restarted after a fault, 0: killed
};

// What every object has: the process that owns it. An object used from two processes is *shared*:
// an isolating kernel grants each process that `users` names (bit n: process n) the right to it.
struct bench_semaphore_declaration {
    uint16_t initial, maximum; // counts
    uint8_t process;
    uint8_t users;
};

struct bench_mutex_declaration {
    uint8_t
        inherits; // 1: priority inheritance required, 0: the kernel's cheapest mutex that excludes
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

// A gate: a function of one process that tasks of others may call (service `call`).
struct bench_gate_declaration {
    // Runs in process `process` for the caller; `words` come in and go out.
    void (*function)(uint32_t words[4]);
    uint8_t process;
    uint8_t users;
};

// A channel: a ring of messages in memory that all nodes share, from one task to one other task,
// without priorities. What a kernel's semaphores make of the cheapest transport there is.
struct bench_channel_declaration {
    uint16_t places; // messages; an even number
    uint16_t words;  // the longest message
};

// A queue of the kernel's communication bus between nodes: any task sends and receives, the most
// urgent message first, and a receiver inherits the message's priority.
struct bench_bus_declaration {
    uint16_t places; // messages, of BENCH_BUS_BYTES at most
};

#define BENCH_BUS_BYTES 128

// What an interrupt does. The kernel realises the action in its own honest way: with its own
// interrupt-context call in a handler, or bound at build time. BENCH_INTERRUPT_HANDLER runs a
// function of the scenario in the interrupt's context; isolating kernels, where no scenario code
// runs privileged, report service `interrupt-handler` as unsupported.
enum bench_interrupt_action {
    BENCH_INTERRUPT_POSTS,    // posts semaphore `object`
    BENCH_INTERRUPT_RESUMES,  // resumes task `object`
    BENCH_INTERRUPT_NOTIFIES, // notifies task `object`
    BENCH_INTERRUPT_HANDLER,  // calls `handler`
    BENCH_INTERRUPT_DELIVERS, // to task `object`, its driver (service `interrupt-driver`)
};

struct bench_interrupt_declaration {
    uint8_t action;        // enum bench_interrupt_action
    uint8_t object;        // index into the action's kind
    uint8_t users;         // processes that may trigger it
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
};

#undef BENCH_TABLE

// Defined once by each scenario.
extern const struct bench_scenario bench_scenario;

// Pointer and count at once: `.name = "…", BENCH_TASKS(my_tasks), BENCH_QUEUES(my_queues)`.
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

#endif
