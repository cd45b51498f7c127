// SPDX-License-Identifier: MIT
//
// The kernel and the time (osKernelXxx, osDelay and osDelayUntil), and the allocation of entries of
// all kinds.
//
// Bulkhead runs before the first of these calls. The thread that makes the first calls is declared
// with priority 0, so it is above every thread of the list. The threads that it creates run only
// after osKernelStart has made this thread the thread of the timers, which waits.
#include "os.h"

// Versions in the format of osVersion_t: 2.1.3 of the interface, and 0.1.0 of Bulkhead.
enum { API_VERSION = 20010003, KERNEL_VERSION = 10000 };
static const char IDENTITY[] = "Bulkhead";

// The kernel level of a thread that has locked the kernel: above every thread of the list.
enum { LOCKED_LEVEL = 0 };

// --- State ---------------------------------------------------------------------------------------

// identities of all threads, in the order of the declaration
extern const uint32_t bulkhead_identities[];

static void learn_identities(struct bulkhead_os_state *state) {
    struct bulkhead_os_thread *threads = bulkhead_os.threads;
    for (uint32_t i = 0; i < bulkhead_os.threads_count; i++) {
        threads[i].identity = bulkhead_identities[threads[i].handle - BULKHEAD_FIRST_THREAD];
    }
    if (bulkhead_os.threads_count >= 2) {
        state->distance_less_1 = threads[1].identity - threads[0].identity - 1;
    }
    if (bulkhead_os.threads_count != 0) {
        state->first_identity = threads[0].identity;
    }
}

osStatus_t osKernelInitialize(void) {
    struct bulkhead_os_state *state = bulkhead_os.state;
    if (state->kernel == osKernelInactive) {
        learn_identities(state);
        state->kernel = osKernelReady;
    }
    return state->kernel == osKernelReady ? osOK : osError;
}

osStatus_t osKernelGetInfo(osVersion_t *version, char *id_buf, uint32_t id_size) {
    if (version != NULL) {
        *version = (osVersion_t){API_VERSION, KERNEL_VERSION};
    }
    for (uint32_t i = 0; id_buf != NULL && i < id_size && i < sizeof IDENTITY; i++) {
        id_buf[i] = i + 1 < id_size ? IDENTITY[i] : '\0';
    }
    return osOK;
}

osKernelState_t osKernelGetState(void) {
    return (osKernelState_t)bulkhead_os.state->kernel;
}

osStatus_t osKernelStart(void) {
    if (bulkhead_os.state->kernel != osKernelReady) {
        return osError;
    }
    bulkhead_os.state->kernel = osKernelRunning;
    os_run_timers();
}

// --- The lock of the kernel (osKernelLock) -------------------------------------------------------
// A thread that has locked the kernel has a priority above all threads of the list, and may not
// wait. Threads of other processes are not delayed by it, unless their priorities are lower.

static int32_t lock(bool is_locked) {
    struct bulkhead_os_state *state = bulkhead_os.state;
    const struct bulkhead_os_thread *self = os_self();
    const bool was_locked = state->kernel == osKernelLocked;
    if (state->kernel < osKernelRunning || self == NULL) {
        return osError;
    }
    if (is_locked != was_locked) {
        state->kernel = is_locked ? osKernelLocked : osKernelRunning;
        const uint32_t level = is_locked ? LOCKED_LEVEL : (uint32_t)os_level(self->priority);
        if (bulkhead_set_priority(self->handle, level) != BULKHEAD_OK) {
            state->kernel = osKernelRunning;
            return osError;
        }
    }
    return was_locked;
}

int32_t osKernelLock(void) {
    return lock(true);
}

int32_t osKernelUnlock(void) {
    return lock(false);
}

int32_t osKernelRestoreLock(int32_t lock_state) {
    if (lock_state != 0 && lock_state != 1) {
        return osError;
    }
    return lock(lock_state == 1) < 0 ? osError : lock_state;
}

// Does nothing: the kernel itself sleeps without a tick if the declaration says `tickless`, and no
// process may keep it from scheduling.
uint32_t osKernelSuspend(void) {
    return 0;
}

void osKernelResume(uint32_t sleep_ticks) {
    (void)sleep_ticks;
}

// --- Time ----------------------------------------------------------------------------------------

uint32_t osKernelGetTickCount(void) {
    return bulkhead_ticks();
}

uint32_t osKernelGetTickFreq(void) {
    return bulkhead_os.tick_hz;
}

// Returns ticks, which are the finest time of a process: the processor's counter of cycles is
// privileged.
uint32_t osKernelGetSysTimerCount(void) {
    return bulkhead_ticks();
}

uint32_t osKernelGetSysTimerFreq(void) {
    return bulkhead_os.tick_hz;
}

osStatus_t osDelay(uint32_t ticks) {
    if (ticks == 0) {
        return osErrorParameter;
    }
    if (!os_wait_begin(&bulkhead_os)) {
        return osError;
    }
    bulkhead_delay(ticks);
    os_wait_end();
    return osOK;
}

// Sleeps until a tick. A tick in the past cannot be distinguished from one that is more than 2^31
// ticks away.
osStatus_t osDelayUntil(uint32_t ticks) {
    const int32_t left = (int32_t)(ticks - bulkhead_ticks());
    if (left <= 0) {
        return osErrorParameter;
    }
    if (!os_wait_begin(&bulkhead_os)) {
        return osError;
    }
    const enum bulkhead_result result = bulkhead_delay_until(ticks);
    os_wait_end();
    return result == BULKHEAD_OK ? osOK : osErrorParameter;
}

// --- Free entries of the lists of objects --------------------------------------------------------

static bool is_free(const struct os_request *request, const struct bulkhead_os_entry *entry) {
    return !entry->is_used && (request->suits == NULL || request->suits(entry, request->wanted));
}

static struct bulkhead_os_entry *entry_at(const struct os_request *request, uint32_t index) {
    return (void *)((char *)request->array + index * request->entry_bytes);
}

// Returns a free entry: `wanted` if that is not NULL, otherwise the first free one. Returns NULL if
// there is none.
static struct bulkhead_os_entry *choose(const struct os_request *request, const void *wanted) {
    for (uint32_t i = 0; i < request->count; i++) {
        struct bulkhead_os_entry *entry = entry_at(request, i);
        if ((wanted == NULL || wanted == entry) && is_free(request, entry)) {
            return entry;
        }
    }
    return NULL;
}

static bool are_supported(const struct os_request *request, const struct os_attributes *given) {
    return (given->attr_bits & ~request->supported_bits) == 0 &&
           (given->cb_mem != NULL ? given->cb_size >= request->entry_bytes : given->cb_size == 0);
}

void *os_take(const struct os_request *request) {
    static const struct os_attributes none;
    const struct os_attributes *given = request->attributes != NULL ? request->attributes : &none;
    if (bulkhead_os.state->kernel == osKernelInactive || !are_supported(request, given)) {
        return NULL;
    }
    (void)bulkhead_mutex_lock(bulkhead_os.mutex, BULKHEAD_FOREVER);
    struct bulkhead_os_entry *entry = choose(request, given->cb_mem);
    if (entry != NULL) {
        *entry = (struct bulkhead_os_entry){given->name, true};
    }
    (void)bulkhead_mutex_unlock(bulkhead_os.mutex);
    return entry;
}
