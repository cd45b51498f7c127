// SPDX-License-Identifier: MIT
//
// Mutexes: osMutexXxx.
//
// Every mutex of the kernel inherits priorities, and is released when its holder ends. The
// attributes osMutexPrioInherit and osMutexRobust therefore have no effect. The library adds
// recursion.
#include "os.h"

enum { ATTRIBUTES = osMutexRecursive | osMutexPrioInherit | osMutexRobust };

static struct bulkhead_os_mutex *find(osMutexId_t id) {
    return OS_FIND(mutex, mutexes, id);
}

// Returns the identity of the holder, or 0.
static uint32_t holder(const struct bulkhead_os_mutex *mutex) {
    return mutex->object->word & ~BULKHEAD_MUTEX_WAITED;
}

osMutexId_t osMutexNew(const osMutexAttr_t *attr) {
    struct bulkhead_os_mutex *made =
        os_take(&(struct os_request){OS_REQUEST(mutex, mutexes, attr, ATTRIBUTES)});
    if (made != NULL) {
        made->is_recursive = attr != NULL && (attr->attr_bits & osMutexRecursive) != 0;
        made->depth = 0;
    }
    return made;
}

const char *osMutexGetName(osMutexId_t mutex_id) {
    return os_name(find(mutex_id));
}

static __attribute__((noinline)) osStatus_t acquire_again(struct bulkhead_os_mutex *mutex) {
    if (!mutex->is_recursive || mutex->depth == UINT32_MAX) {
        return osErrorResource;
    }
    mutex->depth++;
    return osOK;
}

// Waits for a mutex. PEER_LOST says that the former holder ended while it held the mutex; the
// caller holds the mutex now.
static __attribute__((noinline)) osStatus_t wait(struct bulkhead_os_mutex *mutex,
                                                 uint32_t timeout) {
    if (timeout == 0 || !os_wait_begin(mutex->object)) {
        return osErrorResource;
    }
    const enum bulkhead_result result = bulkhead_mutex_lock(mutex->object, timeout);
    os_wait_end();
    if (result != BULKHEAD_OK && result != BULKHEAD_PEER_LOST) {
        return result == BULKHEAD_TIMED_OUT ? osErrorTimeout : osErrorResource;
    }
    mutex->depth = 0;
    return osOK;
}

osStatus_t osMutexAcquire(osMutexId_t mutex_id, uint32_t timeout) {
    struct bulkhead_os_mutex *mutex = find(mutex_id);
    if (mutex == NULL) {
        return osErrorParameter;
    }
    if (mutex->object->word == BULKHEAD_MUTEX_FREE &&
        bulkhead_mutex_lock(mutex->object, BULKHEAD_NO_WAIT) == BULKHEAD_OK) {
        mutex->depth = 0;
        return osOK;
    }
    return holder(mutex) == bulkhead_page.self ? acquire_again(mutex) : wait(mutex, timeout);
}

osStatus_t osMutexRelease(osMutexId_t mutex_id) {
    struct bulkhead_os_mutex *mutex = find(mutex_id);
    if (mutex == NULL) {
        return osErrorParameter;
    }
    if (holder(mutex) != bulkhead_page.self) {
        return osErrorResource;
    }
    if (mutex->depth != 0) {
        mutex->depth--;
        return osOK;
    }
    return bulkhead_mutex_unlock(mutex->object) == BULKHEAD_OK ? osOK : osErrorResource;
}

osThreadId_t osMutexGetOwner(osMutexId_t mutex_id) {
    const struct bulkhead_os_mutex *mutex = find(mutex_id);
    return mutex == NULL || holder(mutex) == 0 ? NULL : os_thread_of(holder(mutex));
}

osStatus_t osMutexDelete(osMutexId_t mutex_id) {
    struct bulkhead_os_mutex *mutex = find(mutex_id);
    if (mutex == NULL) {
        return osErrorParameter;
    }
    if (holder(mutex) == bulkhead_page.self && !os_is_awaited(mutex->object)) {
        (void)bulkhead_mutex_unlock(mutex->object);
    }
    return holder(mutex) != 0 ? osErrorResource : os_release(&mutex->entry, mutex->object);
}
