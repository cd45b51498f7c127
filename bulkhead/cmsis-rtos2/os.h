// SPDX-License-Identifier: MIT
//
// Declarations that the files of this library share. The library runs in the process of the caller,
// without any privilege, and uses the calls of bulkhead.h.
//
// A fast path reads the word of a local object and makes no system call. Only a thread that has to
// wait enters a slow path, which first records the object that the thread waits for
// (os_wait_begin): an object is not deleted while a thread may wait for it.
#ifndef OS_H
#define OS_H

#include <bulkhead/os_objects.h>
#include <stdbool.h>

// Returns whether `id` points into an array of entries, at an entry in use. Does not test that it
// points to the beginning of the entry: a wrong address harms only the process of the caller.
static inline bool os_is_valid(const void *id, const void *array, uint32_t bytes) {
    const uint32_t offset = (uint32_t)id - (uint32_t)array;
    return offset < bytes && ((const struct bulkhead_os_entry *)id)->is_used;
}

// Returns `id` as a pointer to an object of this kind, or NULL. Example: OS_FIND(mutex, mutexes,
// mutex_id).
#define OS_FIND(type, array, id)                                                          \
    (os_is_valid((id), bulkhead_os.array,                                                 \
                 bulkhead_os.array##_count * (uint32_t)sizeof(struct bulkhead_os_##type)) \
         ? (struct bulkhead_os_##type *)(id)                                              \
         : NULL)

// The attributes that all kinds of objects have, in the order in which each structure osXxxAttr_t
// begins with them.
struct os_attributes {
    const char *name;
    uint32_t attr_bits;
    void *cb_mem;
    uint32_t cb_size;
};

// A request of a function osXxxNew for an entry: the array of this kind, and the properties of the
// entry.
struct os_request {
    void *array;
    uint32_t count, entry_bytes;
    const void *attributes;  // attributes of the caller, or NULL
    uint32_t supported_bits; // supported bits of attr_bits
    // returns whether an entry may be used; NULL: every entry may
    bool (*suits)(const void *entry, const void *wanted);
    const void *wanted;
};

// Returns a free entry that suits the request and marks it as in use. Returns NULL if there is
// none, and before osKernelInitialize.
void *os_take(const struct os_request *request);

#define OS_REQUEST(type, kind, attr, bits)                                  \
    .array = bulkhead_os.kind, .count = bulkhead_os.kind##_count,           \
    .entry_bytes = sizeof(struct bulkhead_os_##type), .attributes = (attr), \
    .supported_bits = (bits)

static inline const char *os_name(const void *entry) {
    return entry == NULL ? NULL : ((const struct bulkhead_os_entry *)entry)->name;
}

// --- Threads -------------------------------------------------------------------------------------

// Returns the thread with an identity, or NULL if it is not in the list of declared threads.
struct bulkhead_os_thread *os_thread_of(uint32_t identity);

static inline struct bulkhead_os_thread *os_self(void) {
    return os_thread_of(bulkhead_page.self);
}

// Returns the kernel level of a priority, or -1 if the priority has no level of its own.
int32_t os_level(osPriority_t priority);

// Records that the caller waits for `object`. Returns false if no thread may wait now, because the
// kernel is not started or is locked.
bool os_wait_begin(const void *object);
void os_wait_end(void);

// Returns whether any thread may be waiting for `object`.
bool os_is_awaited(const void *object);

// Marks an entry as free, unless a thread may be waiting for `object`.
osStatus_t os_release(struct bulkhead_os_entry *entry, const void *object);

// --- Semaphores inside objects of this library ---------------------------------------------------

// Decrements a semaphore as osSemaphoreAcquire does.
osStatus_t os_count_take(struct bulkhead_semaphore *semaphore, uint32_t timeout);

// Returns the count of a semaphore from its word. A negative word means that threads may wait.
static inline uint32_t os_count(const struct bulkhead_semaphore *semaphore) {
    const int32_t count = semaphore->count;
    return count < 0 ? 0 : (uint32_t)count;
}

// --- Flags ---------------------------------------------------------------------------------------

uint32_t os_flags_set(struct bulkhead_flags *object, uint32_t flags);
uint32_t os_flags_clear(struct bulkhead_flags *object, uint32_t flags);
uint32_t os_flags_wait(struct bulkhead_flags *object, uint32_t flags, uint32_t options,
                       uint32_t timeout);

// --- Timers --------------------------------------------------------------------------------------

// Calls the functions of timers that are due, and never returns. The thread that called
// osKernelStart runs this function.
_Noreturn void os_run_timers(void);

#endif
