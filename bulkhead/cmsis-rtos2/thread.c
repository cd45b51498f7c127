// SPDX-License-Identifier: MIT
//
// Threads: osThreadXxx, except the flags of threads.
//
// A thread of the list is declared with the lowest priority. It therefore does not run between its
// start and the next call of its creator, which sets its priority.
#include "os.h"

// --- The list of threads -------------------------------------------------------------------------

static struct bulkhead_os_thread *find(osThreadId_t id) {
    return OS_FIND(thread, threads, id);
}

static struct bulkhead_os_thread *find_active(osThreadId_t id) {
    struct bulkhead_os_thread *thread = find(id);
    return thread != NULL && !thread->has_ended ? thread : NULL;
}

// Returns the thread of an identity. Threads that are declared in succession have identities at
// equal distances.
struct bulkhead_os_thread *os_thread_of(uint32_t identity) {
    const struct bulkhead_os *os = &bulkhead_os;
    const uint32_t distance = identity - os->state->first_identity;
    const uint32_t index = distance / (os->state->distance_less_1 + 1);
    if (index < os->threads_count && os->threads[index].identity == identity) {
        return &os->threads[index];
    }
    for (uint32_t i = 0; i < os->threads_count; i++) {
        if (os->threads[i].identity == identity) {
            return &os->threads[i];
        }
    }
    return NULL;
}

// --- Waiting -------------------------------------------------------------------------------------

bool os_wait_begin(const void *object) {
    struct bulkhead_os_thread *self = os_self();
    if (bulkhead_os.state->kernel != osKernelRunning) {
        return false;
    }
    if (self != NULL) {
        self->waits_in = object;
    }
    return true;
}

void os_wait_end(void) {
    struct bulkhead_os_thread *self = os_self();
    if (self != NULL) {
        self->waits_in = NULL;
    }
}

bool os_is_awaited(const void *object) {
    for (uint32_t i = 0; i < bulkhead_os.threads_count; i++) {
        const struct bulkhead_os_thread *thread = &bulkhead_os.threads[i];
        if (thread->entry.is_used && thread->waits_in == object) {
            return true;
        }
    }
    return false;
}

osStatus_t os_release(struct bulkhead_os_entry *entry, const void *object) {
    if (os_is_awaited(object)) {
        return osErrorResource;
    }
    entry->is_used = false;
    return osOK;
}

// --- Priorities ----------------------------------------------------------------------------------
// Bulkhead has 32 levels; 0 is the highest. Level 0 is for the thread of the timers. Each of the
// six classes of osPriority_t has five levels, and osPriorityIdle has the last level, so two
// priorities never share a level.

enum { LEVELS = 32, CLASS_PRIORITIES = 8, CLASS_LEVELS = 5 };

int32_t os_level(osPriority_t priority) {
    const int32_t class = priority / CLASS_PRIORITIES - 1;
    const int32_t within = priority % CLASS_PRIORITIES;
    if (priority == osPriorityIdle) {
        return LEVELS - 1;
    }
    if (priority < osPriorityLow || priority >= osPriorityISR || within >= CLASS_LEVELS) {
        return -1;
    }
    return LEVELS - 2 - CLASS_LEVELS * class - within;
}

osStatus_t osThreadSetPriority(osThreadId_t thread_id, osPriority_t priority) {
    struct bulkhead_os_thread *thread = find(thread_id);
    const int32_t level = os_level(priority);
    if (thread == NULL || level < 0) {
        return osErrorParameter;
    }
    if (thread->has_ended) {
        return osErrorResource;
    }
    thread->priority = (uint8_t)priority;
    const bool holds_lock = bulkhead_os.state->kernel == osKernelLocked && thread == os_self();
    if (holds_lock) {
        return osOK; // osKernelUnlock sets the priority of the running thread
    }
    const enum bulkhead_result result = bulkhead_set_priority(thread->handle, (uint32_t)level);
    return result == BULKHEAD_OK ? osOK : osErrorResource;
}

osPriority_t osThreadGetPriority(osThreadId_t thread_id) {
    const struct bulkhead_os_thread *thread = find_active(thread_id);
    return thread == NULL ? osPriorityError : (osPriority_t)thread->priority;
}

// --- Start ---------------------------------------------------------------------------------------

// Returns whether a stack is large enough. The first entry that suits is taken, so if the list is
// ordered by stack size, the smallest sufficient stack is used.
static bool has_stack(const void *entry, const void *wanted) {
    const struct bulkhead_os_thread *thread = entry;
    return thread->stack_bytes >= *(const uint32_t *)wanted;
}

// Starts a thread. Repeats the start as long as an earlier end of the thread is not complete.
static enum bulkhead_result start(uint32_t handle) {
    const enum bulkhead_result result = bulkhead_start_thread(handle);
    if (result != BULKHEAD_REFUSED) {
        return result;
    }
    (void)bulkhead_join(handle, BULKHEAD_FOREVER);
    return bulkhead_start_thread(handle);
}

static osThreadId_t launch(struct bulkhead_os_thread *thread, int32_t level) {
    bulkhead_flags_clear(thread->flags, ~osFlagsError);
    if (start(thread->handle) != BULKHEAD_OK) {
        thread->entry.is_used = false;
        return NULL;
    }
    const enum bulkhead_result result = bulkhead_set_priority(thread->handle, (uint32_t)level);
    return result == BULKHEAD_OK || thread->has_ended ? thread : NULL;
}

// Creates a thread. A stack is a region that the kernel protects, so the application cannot provide
// one.
osThreadId_t osThreadNew(osThreadFunc_t func, void *argument, const osThreadAttr_t *attr) {
    const uint32_t stack_bytes = attr != NULL ? attr->stack_size : 0;
    const osPriority_t asked = attr != NULL ? attr->priority : osPriorityNone;
    const osPriority_t priority = asked == osPriorityNone ? osPriorityNormal : asked;
    const int32_t level = os_level(priority);
    if (func == NULL || level < 0 ||
        (attr != NULL && (attr->stack_mem != NULL || attr->tz_module != 0))) {
        return NULL;
    }
    struct bulkhead_os_thread *thread = os_take(&(struct os_request){
        OS_REQUEST(thread, threads, attr, osThreadJoinable), has_stack, &stack_bytes});
    if (thread == NULL) {
        return NULL;
    }
    thread->is_joinable = attr != NULL && (attr->attr_bits & osThreadJoinable) != 0;
    thread->has_ended = thread->is_suspended = false;
    thread->waits_in = NULL;
    thread->priority = (uint8_t)priority;
    thread->function = func;
    thread->argument = argument;
    return launch(thread, level);
}

void bulkhead_os_thread_main(void) {
    const struct bulkhead_os_thread *self = os_self();
    self->function(self->argument);
    osThreadExit();
}

// --- End -----------------------------------------------------------------------------------------

void osThreadExit(void) {
    struct bulkhead_os_thread *self = os_self();
    if (self != NULL) {
        self->has_ended = true;
        self->entry.is_used = self->is_joinable;
    }
    bulkhead_exit();
}

// Ends the calling thread only: the kernel has no call that ends another thread, because that
// thread may be changing data that its process relies on.
osStatus_t osThreadTerminate(osThreadId_t thread_id) {
    struct bulkhead_os_thread *thread = find(thread_id);
    if (thread == NULL) {
        return osErrorParameter;
    }
    if (thread == os_self()) {
        osThreadExit();
    }
    return osErrorResource;
}

osStatus_t osThreadDetach(osThreadId_t thread_id) {
    struct bulkhead_os_thread *thread = find(thread_id);
    if (thread == NULL) {
        return osErrorParameter;
    }
    if (!thread->is_joinable) {
        return osErrorResource;
    }
    thread->is_joinable = false;
    if (thread->has_ended) {
        thread->entry.is_used = false;
    }
    return osOK;
}

osStatus_t osThreadJoin(osThreadId_t thread_id) {
    struct bulkhead_os_thread *thread = find(thread_id);
    if (thread == NULL) {
        return osErrorParameter;
    }
    if (!thread->is_joinable || thread == os_self() || !os_wait_begin(thread)) {
        return osErrorResource;
    }
    const enum bulkhead_result result = bulkhead_join(thread->handle, BULKHEAD_FOREVER);
    os_wait_end();
    if (result != BULKHEAD_OK) {
        return osErrorResource; // another thread waits for it
    }
    thread->entry.is_used = false;
    return osOK;
}

// --- State ---------------------------------------------------------------------------------------

osThreadId_t osThreadGetId(void) {
    return os_self();
}

const char *osThreadGetName(osThreadId_t thread_id) {
    return os_name(find(thread_id));
}

// Returns the state of a thread, as far as the library knows it: the kernel has no call for it. A
// thread that was woken and has not run since is still reported as blocked.
osThreadState_t osThreadGetState(osThreadId_t thread_id) {
    const uint32_t bytes = bulkhead_os.threads_count * (uint32_t)sizeof(struct bulkhead_os_thread);
    const struct bulkhead_os_thread *thread = thread_id;
    if ((uint32_t)thread - (uint32_t)bulkhead_os.threads >= bytes) {
        return osThreadError;
    }
    if (!thread->entry.is_used) {
        return osThreadInactive;
    }
    if (thread->has_ended) {
        return osThreadTerminated;
    }
    if (thread == os_self()) {
        return osThreadRunning;
    }
    return thread->is_suspended || thread->waits_in != NULL ? osThreadBlocked : osThreadReady;
}

uint32_t osThreadGetStackSize(osThreadId_t thread_id) {
    const struct bulkhead_os_thread *thread = find(thread_id);
    return thread == NULL ? 0 : thread->stack_bytes;
}

// Returns 0: a thread cannot read the stack of another thread, and the kernel fills no stack with a
// pattern.
uint32_t osThreadGetStackSpace(osThreadId_t thread_id) {
    (void)thread_id;
    return 0;
}

static bool is_active(const struct bulkhead_os_thread *thread) {
    return thread->entry.is_used && !thread->has_ended;
}

uint32_t osThreadGetCount(void) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < bulkhead_os.threads_count; i++) {
        count += is_active(&bulkhead_os.threads[i]);
    }
    return count;
}

uint32_t osThreadEnumerate(osThreadId_t *thread_array, uint32_t array_items) {
    uint32_t count = 0;
    if (thread_array == NULL) {
        return 0;
    }
    for (uint32_t i = 0; i < bulkhead_os.threads_count && count < array_items; i++) {
        if (is_active(&bulkhead_os.threads[i])) {
            thread_array[count++] = &bulkhead_os.threads[i];
        }
    }
    return count;
}

// --- Yield, suspend and resume -------------------------------------------------------------------

osStatus_t osThreadYield(void) {
    bulkhead_yield();
    return osOK;
}

osStatus_t osThreadSuspend(osThreadId_t thread_id) {
    struct bulkhead_os_thread *thread = find(thread_id);
    const bool is_self = thread == os_self();
    if (thread == NULL) {
        return osErrorParameter;
    }
    if (thread->has_ended || (is_self && bulkhead_os.state->kernel != osKernelRunning)) {
        return osErrorResource;
    }
    thread->is_suspended = true;
    const enum bulkhead_result result = bulkhead_suspend(thread->handle);
    if (is_self) {
        thread->is_suspended = false; // something resumed the thread, for example an interrupt
    }
    return result == BULKHEAD_OK ? osOK : osErrorResource;
}

osStatus_t osThreadResume(osThreadId_t thread_id) {
    struct bulkhead_os_thread *thread = find(thread_id);
    if (thread == NULL) {
        return osErrorParameter;
    }
    thread->is_suspended = false;
    return bulkhead_resume(thread->handle) == BULKHEAD_OK ? osOK : osErrorResource;
}
