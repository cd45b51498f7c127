// SPDX-License-Identifier: MIT
//
// Semaphores: osSemaphoreXxx.
#include "os.h"

// --- Counts --------------------------------------------------------------------------------------

static __attribute__((noinline)) osStatus_t wait(struct bulkhead_semaphore *semaphore,
                                                 uint32_t timeout) {
    if (timeout == 0 || !os_wait_begin(semaphore)) {
        return osErrorResource;
    }
    const enum bulkhead_result result = bulkhead_semaphore_take(semaphore, timeout);
    os_wait_end();
    return result == BULKHEAD_OK ? osOK : osErrorTimeout;
}

osStatus_t os_count_take(struct bulkhead_semaphore *semaphore, uint32_t timeout) {
    if (semaphore->count > 0 &&
        bulkhead_semaphore_take(semaphore, BULKHEAD_NO_WAIT) == BULKHEAD_OK) {
        return osOK;
    }
    return wait(semaphore, timeout);
}

// --- Semaphores ----------------------------------------------------------------------------------

static struct bulkhead_os_semaphore *find(osSemaphoreId_t id) {
    return OS_FIND(semaphore, semaphores, id);
}

// Returns whether the declared maximum of a semaphore is the wanted one. The kernel checks the
// maximum, so that two threads that give at the same time cannot exceed it.
static bool has_maximum(const void *entry, const void *wanted) {
    const struct bulkhead_os_semaphore *semaphore = entry;
    return semaphore->object->maximum == *(const uint32_t *)wanted;
}

osSemaphoreId_t osSemaphoreNew(uint32_t max_count, uint32_t initial_count,
                               const osSemaphoreAttr_t *attr) {
    if (max_count == 0 || initial_count > max_count) {
        return NULL;
    }
    struct bulkhead_os_semaphore *made = os_take(
        &(struct os_request){OS_REQUEST(semaphore, semaphores, attr, 0), has_maximum, &max_count});
    if (made != NULL) {
        made->object->count = (int32_t)initial_count;
    }
    return made;
}

const char *osSemaphoreGetName(osSemaphoreId_t semaphore_id) {
    return os_name(find(semaphore_id));
}

osStatus_t osSemaphoreAcquire(osSemaphoreId_t semaphore_id, uint32_t timeout) {
    const struct bulkhead_os_semaphore *semaphore = find(semaphore_id);
    return semaphore == NULL ? osErrorParameter : os_count_take(semaphore->object, timeout);
}

osStatus_t osSemaphoreRelease(osSemaphoreId_t semaphore_id) {
    const struct bulkhead_os_semaphore *semaphore = find(semaphore_id);
    if (semaphore == NULL) {
        return osErrorParameter;
    }
    const enum bulkhead_result result = bulkhead_semaphore_give(semaphore->object);
    return result == BULKHEAD_OK ? osOK : osErrorResource;
}

uint32_t osSemaphoreGetCount(osSemaphoreId_t semaphore_id) {
    const struct bulkhead_os_semaphore *semaphore = find(semaphore_id);
    return semaphore == NULL ? 0 : os_count(semaphore->object);
}

osStatus_t osSemaphoreDelete(osSemaphoreId_t semaphore_id) {
    struct bulkhead_os_semaphore *semaphore = find(semaphore_id);
    return semaphore == NULL ? osErrorParameter : os_release(&semaphore->entry, semaphore->object);
}
