// SPDX-License-Identifier: MIT
//
// The objects from which the functions osXxxNew of CMSIS-RTOS2 take theirs.
//
// Bulkhead declares everything, so a project lists its declared objects once: it defines the
// constant `bulkhead_os`, whose arrays have one entry for each thread and each object. A function
// osXxxNew returns an entry that is not in use. With the address of an entry as `cb_mem`, it
// returns that entry, for example because an interrupt posts its semaphore.
//
// All objects are `local` to one process. A name of an entry is one of <handles.h> without its
// kind: BULKHEAD_OS_THREAD(WORKER, 512) names THREAD_WORKER, and its flags FLAGS_WORKER.
// docs/how-to/use-cmsis-rtos2.md has an example.
#ifndef BULKHEAD_OS_OBJECTS_H
#define BULKHEAD_OS_OBJECTS_H

#include <bulkhead/bulkhead.h>
#include <cmsis_os2.h>

// Begins every entry.
struct bulkhead_os_entry {
    const char *name;
    uint8_t is_used;
};

// A thread that is declared with the entry bulkhead_os_thread_main, priority 31, and initially =
// "dormant". Its thread flags are a local object of the same name.
struct bulkhead_os_thread {
    struct bulkhead_os_entry entry;
    uint8_t is_joinable, has_ended, is_suspended;
    uint8_t priority;     // osPriority_t, without the priority that it inherits
    const void *waits_in; // the object for which it may wait, or NULL
    struct bulkhead_flags *flags;
    uint32_t handle, identity;
    uint32_t stack_bytes; // as declared
    osThreadFunc_t function;
    void *argument;
};

struct bulkhead_os_flags {
    struct bulkhead_os_entry entry;
    struct bulkhead_flags *object;
};

struct bulkhead_os_mutex {
    struct bulkhead_os_entry entry;
    uint8_t is_recursive;
    uint32_t depth; // acquisitions of the holder after the first
    struct bulkhead_mutex *object;
};

// osSemaphoreNew returns one whose declared maximum is max_count.
struct bulkhead_os_semaphore {
    struct bulkhead_os_entry entry;
    struct bulkhead_semaphore *object;
};

// A pool has memory for its blocks, and a semaphore that counts those that are free.
struct bulkhead_os_pool {
    struct bulkhead_os_entry entry;
    struct bulkhead_semaphore *free;
    void *memory;
    uint32_t memory_bytes;
    struct bulkhead_pool blocks;
    uint32_t block_count, block_bytes;
};

// A queue has memory for its messages, a mutex, and two semaphores: NAME_MESSAGES and NAME_SPACES.
struct bulkhead_os_queue {
    struct bulkhead_os_entry entry;
    struct bulkhead_mutex *mutex;
    struct bulkhead_semaphore *messages, *spaces;
    void *memory;
    uint32_t memory_bytes;
    uint8_t *places; // each a struct place (message_queue.c) and a message
    uint32_t place_bytes, message_bytes, capacity;
    uint16_t first, last, unused; // numbers of places: the next message, the last one, a free place
    volatile uint16_t count;
};

// A timer that is declared with sets = the flags `timer_flags`, and flags = 1 << its index.
struct bulkhead_os_timer {
    struct bulkhead_os_entry entry;
    volatile uint8_t is_running;
    uint8_t is_periodic;
    volatile uint32_t due; // the first tick at which its function may be called
    uint32_t handle;
    osTimerFunc_t function;
    void *argument;
};

struct bulkhead_os_state {
    uint8_t kernel;           // osKernelState_t
    uint32_t first_identity;  // of the threads, which commonly have equal distances (thread.c)
    uint32_t distance_less_1; // so that zero, before osKernelInitialize, is a distance as well
};

// Array and count together: BULKHEAD_OS_ARRAY(threads, my_threads).
#define BULKHEAD_OS_ARRAY(kind, array) \
    .kind = (array), .kind##_count = sizeof(array) / sizeof((array)[0])
#define BULKHEAD_OS_ARRAY_OF(type, kind) \
    struct bulkhead_os_##type *kind;     \
    uint32_t kind##_count

struct bulkhead_os {
    uint32_t tick_hz;
    struct bulkhead_os_state *state; // one variable of the project, zero at its start
    struct bulkhead_mutex *mutex;    // for osXxxNew: no two threads take the same entry
    struct bulkhead_flags *timer_flags;
    BULKHEAD_OS_ARRAY_OF(thread, threads);
    BULKHEAD_OS_ARRAY_OF(flags, flags);
    BULKHEAD_OS_ARRAY_OF(mutex, mutexes);
    BULKHEAD_OS_ARRAY_OF(semaphore, semaphores);
    BULKHEAD_OS_ARRAY_OF(pool, pools);
    BULKHEAD_OS_ARRAY_OF(queue, queues);
    BULKHEAD_OS_ARRAY_OF(timer, timers);
};

extern const struct bulkhead_os bulkhead_os;

#define BULKHEAD_OS_THREAD(NAME, bytes) \
    {.handle = THREAD_##NAME, .flags = FLAGS_##NAME, .stack_bytes = (bytes)}
#define BULKHEAD_OS_FLAGS(NAME) {.object = FLAGS_##NAME}
#define BULKHEAD_OS_MUTEX(NAME) {.object = MUTEX_##NAME}
#define BULKHEAD_OS_SEMAPHORE(NAME) {.object = SEMAPHORE_##NAME}
#define BULKHEAD_OS_TIMER(NAME) {.handle = TIMER_##NAME}
#define BULKHEAD_OS_POOL(NAME, array) \
    {.free = SEMAPHORE_##NAME, .memory = (array), .memory_bytes = sizeof(array)}
#define BULKHEAD_OS_QUEUE(NAME, array)        \
    {.mutex = MUTEX_##NAME,                   \
     .messages = SEMAPHORE_##NAME##_MESSAGES, \
     .spaces = SEMAPHORE_##NAME##_SPACES,     \
     .memory = (array),                       \
     .memory_bytes = sizeof(array)}

// Bytes of the memory of a pool and of a queue, for an array of uint64_t or for attributes.
#define BULKHEAD_OS_ROUNDED(bytes) (((bytes) + 3u) & ~3u)
#define BULKHEAD_OS_POOL_BYTES(count, size) ((count) * BULKHEAD_OS_ROUNDED(size))
#define BULKHEAD_OS_QUEUE_BYTES(count, size) ((count) * (4u + BULKHEAD_OS_ROUNDED(size)))

// The entry of every declared thread of the list.
void bulkhead_os_thread_main(void);

#endif
