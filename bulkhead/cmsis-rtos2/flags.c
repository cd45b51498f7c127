// SPDX-License-Identifier: MIT
//
// Flags: osThreadFlagsXxx and osEventFlagsXxx. Both kinds are implemented by a local flags object
// with 31 flags.
#include "os.h"

enum { OPTIONS = osFlagsWaitAll | osFlagsNoClear };

// --- The flags of one object ---------------------------------------------------------------------

// Returns the flags after `flags` have been set, without the flags that a woken thread has cleared.
uint32_t os_flags_set(struct bulkhead_flags *object, uint32_t flags) {
    if (flags & osFlagsError) {
        return osFlagsErrorParameter;
    }
    bulkhead_flags_set(object, flags);
    return object->word & ~BULKHEAD_FLAGS_WAITED;
}

uint32_t os_flags_clear(struct bulkhead_flags *object, uint32_t flags) {
    const uint32_t before = object->word & ~BULKHEAD_FLAGS_WAITED;
    if (flags & osFlagsError) {
        return osFlagsErrorParameter;
    }
    bulkhead_flags_clear(object, flags);
    return before;
}

static enum bulkhead_result await(struct bulkhead_flags *object, uint32_t *flags, uint32_t options,
                                  uint32_t timeout) {
    switch (options) {
    case osFlagsWaitAny:
        return bulkhead_flags_take_any(object, flags, timeout);
    case osFlagsWaitAll:
        return bulkhead_flags_take_all(object, flags, timeout);
    case osFlagsWaitAny | osFlagsNoClear:
        return bulkhead_flags_wait_any(object, flags, timeout);
    default:
        return bulkhead_flags_wait_all(object, flags, timeout);
    }
}

static bool holds(const struct bulkhead_flags *object, uint32_t flags, uint32_t options) {
    const uint32_t found = object->word & flags;
    return options & osFlagsWaitAll ? found == flags : found != 0;
}

static __attribute__((noinline)) uint32_t wait(struct bulkhead_flags *object, uint32_t flags,
                                               uint32_t options, uint32_t timeout) {
    uint32_t found = flags;
    if (timeout == 0 || !os_wait_begin(object)) {
        return osFlagsErrorResource;
    }
    const enum bulkhead_result result = await(object, &found, options, timeout);
    os_wait_end();
    return result == BULKHEAD_OK ? found : osFlagsErrorTimeout;
}

uint32_t os_flags_wait(struct bulkhead_flags *object, uint32_t flags, uint32_t options,
                       uint32_t timeout) {
    uint32_t found = flags;
    if ((flags & osFlagsError) || (options & ~(uint32_t)OPTIONS)) {
        return osFlagsErrorParameter;
    }
    if (holds(object, flags, options) &&
        await(object, &found, options, BULKHEAD_NO_WAIT) == BULKHEAD_OK) {
        return found;
    }
    return wait(object, flags, options, timeout);
}

// --- Threads -------------------------------------------------------------------------------------

uint32_t osThreadFlagsSet(osThreadId_t thread_id, uint32_t flags) {
    const struct bulkhead_os_thread *thread = OS_FIND(thread, threads, thread_id);
    if (thread == NULL) {
        return osFlagsErrorParameter;
    }
    return thread->has_ended ? osFlagsErrorResource : os_flags_set(thread->flags, flags);
}

uint32_t osThreadFlagsClear(uint32_t flags) {
    const struct bulkhead_os_thread *self = os_self();
    return self == NULL ? osFlagsErrorUnknown : os_flags_clear(self->flags, flags);
}

uint32_t osThreadFlagsGet(void) {
    const struct bulkhead_os_thread *self = os_self();
    return self == NULL ? 0 : self->flags->word & ~BULKHEAD_FLAGS_WAITED;
}

uint32_t osThreadFlagsWait(uint32_t flags, uint32_t options, uint32_t timeout) {
    const struct bulkhead_os_thread *self = os_self();
    return self == NULL ? osFlagsErrorUnknown : os_flags_wait(self->flags, flags, options, timeout);
}

// --- Events --------------------------------------------------------------------------------------

static struct bulkhead_os_flags *find(osEventFlagsId_t id) {
    return OS_FIND(flags, flags, id);
}

osEventFlagsId_t osEventFlagsNew(const osEventFlagsAttr_t *attr) {
    const struct bulkhead_os_flags *made =
        os_take(&(struct os_request){OS_REQUEST(flags, flags, attr, 0)});
    if (made != NULL) {
        bulkhead_flags_clear(made->object, ~osFlagsError);
    }
    return (osEventFlagsId_t)(uintptr_t)made;
}

const char *osEventFlagsGetName(osEventFlagsId_t ef_id) {
    return os_name(find(ef_id));
}

uint32_t osEventFlagsSet(osEventFlagsId_t ef_id, uint32_t flags) {
    const struct bulkhead_os_flags *events = find(ef_id);
    return events == NULL ? osFlagsErrorParameter : os_flags_set(events->object, flags);
}

uint32_t osEventFlagsClear(osEventFlagsId_t ef_id, uint32_t flags) {
    const struct bulkhead_os_flags *events = find(ef_id);
    return events == NULL ? osFlagsErrorParameter : os_flags_clear(events->object, flags);
}

uint32_t osEventFlagsGet(osEventFlagsId_t ef_id) {
    const struct bulkhead_os_flags *events = find(ef_id);
    return events == NULL ? 0 : events->object->word & ~BULKHEAD_FLAGS_WAITED;
}

uint32_t osEventFlagsWait(osEventFlagsId_t ef_id, uint32_t flags, uint32_t options,
                          uint32_t timeout) {
    const struct bulkhead_os_flags *events = find(ef_id);
    return events == NULL ? osFlagsErrorParameter
                          : os_flags_wait(events->object, flags, options, timeout);
}

osStatus_t osEventFlagsDelete(osEventFlagsId_t ef_id) {
    struct bulkhead_os_flags *events = find(ef_id);
    return events == NULL ? osErrorParameter : os_release(&events->entry, events->object);
}
