// SPDX-License-Identifier: MIT
//
// The system that the model explores (declaration.h). Threads 0 to 2 belong to one process, which
// has local objects of its own. The client and the server each have a process of their own. Thread
// 0 and the server each serve a gate. Every process has a right to the objects of the kernel.
#include "declaration.h"
#include "gate_entry.h"
#include "options/lease.h"
#include "options/restart.h"
#include <stdlib.h>

#include "dispatch.inc"

enum { LOCAL_MUTEXES = 2, MUTEXES = 4, MESSAGES = 4 };

// --- Objects -------------------------------------------------------------------------------------

struct bulkhead_semaphore world_semaphores[1];
struct bulkhead_mutex world_mutexes[LOCAL_MUTEXES];
static uint32_t buffer[8];
struct bulkhead_queue world_queues[1];
struct bulkhead_flags world_flags[1];
struct bulkhead_pool world_pools[1];
static uint32_t own_blocks[WORLD_BLOCKS][2], shared_blocks[WORLD_BLOCKS][2];
static uint16_t
    links[WORLD_BLOCKS + 1]; // one extra element says "taken", as memory after the pool would

static struct process process;

static struct semaphore semaphore = {.count = &world_semaphores[0].count};
struct mutex kernel_mutexes[MUTEXES] = {
    {.word = &world_mutexes[0].word,
     .process = &process,
     .resource = {.cancel_wait = mutex_cancel_wait}},
    {.word = &world_mutexes[1].word,
     .process = &process,
     .resource = {.cancel_wait = mutex_cancel_wait}},
    {.word = &kernel_mutexes[2].own, .resource = {.cancel_wait = mutex_cancel_wait}},
    {.word = &kernel_mutexes[3].own, .resource = {.cancel_wait = mutex_cancel_wait}},
};
const uint32_t kernel_mutex_count = MUTEXES;
static struct local_queue local_queue = {.queue = &world_queues[0], .handle = WORLD_LOCAL_QUEUE};
static struct flags flags = {.word = &world_flags[0].word};
static struct gate gate = {.resource = {&kernel_threads[WORLD_SERVER], gate_cancel_wait}};
static struct gate first_gate = {.resource = {&kernel_threads[0], gate_cancel_wait}};
static uint32_t messages[MESSAGES];
static struct queue queue = {.start = messages, .words = 1};
static struct pool pool = {.block_bytes = sizeof shared_blocks[0], .links = links};

// --- Processes and threads -----------------------------------------------------------------------

static struct bulkhead_fault report;
#define OF(from, to) .report = &report, .first = &kernel_threads[from], .last = &kernel_threads[to]
static struct process process = {OF(0, WORLD_CLIENT - 1)};
static struct process client_process = {OF(WORLD_CLIENT, WORLD_CLIENT)};
static struct process server_process = {OF(WORLD_SERVER, WORLD_SERVER), .restarts = 1};
const struct process *const kernel_processes[] = {&process, &client_process, &server_process};
const uint32_t kernel_process_count = 3;
const uint32_t kernel_rights_mask = 0;
struct timer *kernel_timer_heap[WORLD_THREADS + 1];

struct thread kernel_threads[WORLD_THREADS];
const struct thread_declaration kernel_thread_declarations[] = {
    {.process = &process,
     .initially = THREAD_SUSPENDED,
     .serves = &first_gate,
     .next = &kernel_threads[1]},
    {.process = &process, .initially = THREAD_SUSPENDED, .next = &kernel_threads[2]},
    {.process = &process, .initially = THREAD_SUSPENDED},
    {.process = &client_process, .initially = THREAD_SUSPENDED},
    {.process = &server_process, .initially = THREAD_SUSPENDED, .serves = &gate},
};
const uint32_t kernel_thread_count = WORLD_THREADS;
const struct thread_declaration kernel_idle_declaration = {.process = &process,
                                                           .priority = PRIORITIES};

// Every thread may read, write and lend all memory.
enum { ALL = BULKHEAD_LEND_READ | BULKHEAD_LEND_WRITE };
const struct reach kernel_reaches[WORLD_THREADS][KERNEL_REACHES] = {
    {{0, UINT32_MAX, ALL}}, {{0, UINT32_MAX, ALL}}, {{0, UINT32_MAX, ALL}},
    {{0, UINT32_MAX, ALL}}, {{0, UINT32_MAX, ALL}},
};
struct lease kernel_leases[WORLD_THREADS];

static bool is_supervised;
static struct restart first_restart, server_restart;

struct restart *kernel_restart_of(const struct process *of) {
    struct restart *row = of == &server_process ? &server_restart : NULL;
    row = of == &process ? &first_restart : row;
    return is_supervised ? row : NULL;
}

// --- Calls ---------------------------------------------------------------------------------------

struct thread *declaration_dispatch(struct arch_frame *frame, uint32_t handle, uint32_t method) {
    switch (handle) {
    case BULKHEAD_SELF:
        return dispatch_self(NULL, frame, method);
    case WORLD_SEMAPHORE:
        return dispatch_semaphore(&semaphore, frame, method);
    case WORLD_LOCAL_QUEUE:
        return dispatch_local_queue(&local_queue, frame, method);
    case WORLD_FLAGS:
        return dispatch_flags(&flags, frame, method);
    case WORLD_POOL:
        return dispatch_pool(&pool, frame, method);
    case WORLD_QUEUE:
        return dispatch_queue(&queue, frame, method);
    case WORLD_MUTEX:
        return dispatch_mutex(&kernel_mutexes[0], frame, method);
    case WORLD_OTHER_MUTEX:
        return dispatch_mutex(&kernel_mutexes[1], frame, method);
    case WORLD_SHARED_MUTEX:
        return dispatch_mutex(&kernel_mutexes[2], frame, method);
    case WORLD_OTHER_SHARED_MUTEX:
        return dispatch_mutex(&kernel_mutexes[3], frame, method);
    case WORLD_GATE:
        return dispatch_gate(&gate, frame, method);
    case WORLD_FIRST_GATE:
        return dispatch_gate(&first_gate, frame, method);
    case WORLD_PROCESS:
        return dispatch_process(&server_process, frame, method);
    case WORLD_FIRST_PROCESS:
        return dispatch_process(&process, frame, method);
    default:
        return dispatch_thread(&kernel_threads[handle - WORLD_THREAD], frame, method);
    }
}

void declaration_give(void) {
    kernel_interrupt_posts(&semaphore);
}

void declaration_set(uint32_t flag_bits) {
    kernel_interrupt_sets(&flags, flag_bits);
}

// --- For scenarios -------------------------------------------------------------------------------

// Returns an error if a thread waits for the kernel's queue although it could go on. A sender or
// receiver that was woken to repeat its call, and has not done so yet, looks the same as a thread
// that does not wait; scenarios call this only when the world rests.
const char *world_queue_wrong(void) {
    if (queue.senders.first != NULL && queue.used != queue.capacity) {
        return "a sender waits where there is room";
    }
    if (queue.receivers.first != NULL && queue.used != 0) {
        return "a receiver waits where there is a message";
    }
    return NULL;
}

void *world_after_blocks(void) {
    return shared_blocks + WORLD_BLOCKS;
}

uint32_t world_free_blocks(void) {
    uint32_t count = 0;
    for (uint32_t i = pool.free; i != POOL_END && count <= WORLD_BLOCKS; i = links[i]) {
        count++;
    }
    return count;
}

static void begin_pools(void) {
    for (uint32_t i = 0; i < WORLD_BLOCKS; i++) {
        const bool last = i == WORLD_BLOCKS - 1;
        own_blocks[i][0] = last ? 0 : (uint32_t)(uintptr_t)own_blocks[i + 1];
        links[i] = last ? POOL_END : (uint16_t)(i + 1);
    }
    world_pools[0] = (struct bulkhead_pool){(uint32_t)(uintptr_t)own_blocks,
                                            (uint32_t)(uintptr_t)own_blocks, sizeof own_blocks};
    links[WORLD_BLOCKS] = POOL_TAKEN;
    pool.free = 0;
    pool.start = (uint32_t)(uintptr_t)shared_blocks;
    pool.blocks = WORLD_BLOCKS;
}

static void begin_queue(uint32_t capacity) {
    queue.capacity = capacity;
    queue.used = 0;
    queue.head = queue.start;
    queue.tail = queue.start;
    queue.end = queue.start + capacity;
}

// Returns the highest priority bit of the threads that have programs.
static uint32_t highest_mask(const struct scenario *scenario, const struct process *of) {
    uint32_t mask = 0;
    for (const struct thread *each = of->first; each <= of->last; each++) {
        const uint32_t own = priority_mask_of(scenario->priorities[each - kernel_threads]);
        const bool runs = scenario->programs[each - kernel_threads] != NULL;
        mask = runs && own > mask ? own : mask;
    }
    return mask;
}

void declaration_begin(const struct scenario *scenario) {
    process.highest_priority_mask = highest_mask(scenario, &process);
    client_process.highest_priority_mask = highest_mask(scenario, &client_process);
    server_process.highest_priority_mask = highest_mask(scenario, &server_process);
    process.restarts = scenario->first_process_restarts;
    is_supervised = scenario->is_supervised;
    for (uint32_t i = 0; i < WORLD_THREADS; i++) {
        kernel_leases[i] = (struct lease){0};
    }
    first_restart = (struct restart){0};
    server_restart = (struct restart){0};
    world_semaphores[0] = (struct bulkhead_semaphore){.count = (int32_t)scenario->initial,
                                                      .maximum = (uint16_t)scenario->maximum,
                                                      .handle = WORLD_SEMAPHORE};
    semaphore.maximum = (int32_t)scenario->maximum;
    world_mutexes[0] = (struct bulkhead_mutex){BULKHEAD_MUTEX_FREE, WORLD_MUTEX};
    world_mutexes[1] = (struct bulkhead_mutex){BULKHEAD_MUTEX_FREE, WORLD_OTHER_MUTEX};
    world_queues[0] = (struct bulkhead_queue){.capacity = scenario->capacity,
                                              .mask = 3,
                                              .message_bytes = 8,
                                              .buffer = buffer,
                                              .handle = WORLD_LOCAL_QUEUE};
    local_queue.capacity = scenario->capacity;
    world_flags[0] = (struct bulkhead_flags){.handle = WORLD_FLAGS};
    begin_queue(scenario->capacity);
    begin_pools();
}
