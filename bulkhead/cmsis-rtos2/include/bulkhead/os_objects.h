// SPDX-License-Identifier: MIT
//
// Lists of declared objects, from which the functions osXxxNew of CMSIS-RTOS2 take the objects that
// they return.
//
// Bulkhead creates no object at run time, so a project lists its declared objects once: it defines
// the constant `bulkhead_os`, whose arrays have one entry for each thread and each object. A
// function osXxxNew returns an entry that is not in use. If `cb_mem` is the address of an entry,
// the function returns that entry. This is needed, for example, if an interrupt posts a certain
// semaphore.
//
// All objects are `local` to one process. The name in an entry is a name of <handles.h> without its
// kind: BULKHEAD_OS_THREAD(WORKER, 512) stands for THREAD_WORKER, and its flags for FLAGS_WORKER.
// docs/how-to/use-cmsis-rtos2.md has an example.
#ifndef BULKHEAD_OS_OBJECTS_H
#define BULKHEAD_OS_OBJECTS_H

#include <bulkhead/bulkhead.h>
#include <cmsis_os2.h>

// The first member of every entry.
struct bulkhead_os_entry {
    const char *name;
    uint8_t is_used;
};

// A thread that is declared with the entry bulkhead_os_thread_main, priority 31, and initially =
// "dormant". Its thread flags are a local object of the same name.
struct bulkhead_os_thread {
    struct bulkhead_os_entry entry;
    uint8_t is_joinable, has_ended, is_suspended;
    uint8_t priority;     // osPriority_t, without an inherited priority
    const void *waits_in; // the object that the thread may be waiting for, or NULL
    struct bulkhead_flags *flags;
    uint32_t handle, identity;
    uint32_t stack_bytes; // size of the stack as declared
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
    uint32_t depth; // number of times that the holder has acquired the mutex, less 1
    struct bulkhead_mutex *object;
};

// A semaphore. osSemaphoreNew returns an entry whose declared maximum is max_count.
struct bulkhead_os_semaphore {
    struct bulkhead_os_entry entry;
    struct bulkhead_semaphore *object;
};

// A pool has memory for its blocks, and a semaphore that counts the free blocks.
struct bulkhead_os_pool {
    struct bulkhead_os_entry entry;
    struct bulkhead_semaphore *free;
    void *memory;
    uint32_t memory_bytes;
    struct bulkhead_pool blocks;
    uint32_t block_count, block_bytes;
};

// A queue has memory for its messages, a mutex, and two semaphores, NAME_MESSAGES and NAME_SPACES,
// which count messages and free spaces.
struct bulkhead_os_queue {
    struct bulkhead_os_entry entry;
    struct bulkhead_mutex *mutex;
    struct bulkhead_semaphore *messages, *spaces;
    void *memory;
    uint32_t memory_bytes;
    uint8_t *places; // an array; each element is a struct place (message_queue.c) and a message
    uint32_t place_bytes, message_bytes, capacity;
    // indexes in `places`: the next message, the last message, a free element
    uint16_t first, last, unused;
    volatile uint16_t count;
};

// A timer. Its declaration has sets = the flags `timer_flags`, and flags = 1 << its index in the
// list.
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
    uint8_t kernel; // a value of osKernelState_t
    // identity of the first thread; identities commonly have equal distances (thread.c)
    uint32_t first_identity;
    // the distance less 1, so that zero, the value before osKernelInitialize, is valid
    uint32_t distance_less_1;
};

// Expands to an array and its count: BULKHEAD_OS_ARRAY(threads, my_threads).
#define BULKHEAD_OS_ARRAY(kind, array) \
    .kind = (array), .kind##_count = sizeof(array) / sizeof((array)[0])
#define BULKHEAD_OS_ARRAY_OF(type, kind) \
    struct bulkhead_os_##type *kind;     \
    uint32_t kind##_count

struct bulkhead_os {
    uint32_t tick_hz;
    struct bulkhead_os_state *state; // one variable of the project, initially zero
    struct bulkhead_mutex *mutex;    // held by osXxxNew, so that no two threads take the same entry
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

// Bytes of the memory of a pool or of a queue: the size of an array of uint64_t, or a value for
// attributes.
#define BULKHEAD_OS_ROUNDED(bytes) (((bytes) + 3u) & ~3u)
#define BULKHEAD_OS_POOL_BYTES(count, size) ((count) * BULKHEAD_OS_ROUNDED(size))
#define BULKHEAD_OS_QUEUE_BYTES(count, size) ((count) * (4u + BULKHEAD_OS_ROUNDED(size)))

// The entry function of every thread in the list.
void bulkhead_os_thread_main(void);

#endif
