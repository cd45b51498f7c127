// SPDX-License-Identifier: MIT
//
// Timers: osTimerXxx. When a timer of the kernel is due, it sets a flag of its own. The thread of
// the timers waits for these flags and calls the timer's function. This thread has level 0, so the
// function runs before any thread of the list.
#include "os.h"

enum { NEVER = 0 };

static struct bulkhead_os_timer *find(osTimerId_t id) {
    return OS_FIND(timer, timers, id);
}

osTimerId_t osTimerNew(osTimerFunc_t func, osTimerType_t type, void *argument,
                       const osTimerAttr_t *attr) {
    if (func == NULL || (type != osTimerOnce && type != osTimerPeriodic)) {
        return NULL;
    }
    struct bulkhead_os_timer *made =
        os_take(&(struct os_request){OS_REQUEST(timer, timers, attr, 0)});
    if (made != NULL) {
        made->is_running = false;
        made->is_periodic = type == osTimerPeriodic;
        made->function = func;
        made->argument = argument;
    }
    return made;
}

const char *osTimerGetName(osTimerId_t timer_id) {
    return os_name(find(timer_id));
}

static void stop(struct bulkhead_os_timer *timer) {
    bulkhead_timer_stop(timer->handle);
    timer->is_running = false;
}

osStatus_t osTimerStart(osTimerId_t timer_id, uint32_t ticks) {
    struct bulkhead_os_timer *timer = find(timer_id);
    if (timer == NULL || ticks == 0 || ticks > INT32_MAX) {
        return osErrorParameter;
    }
    timer->due = bulkhead_ticks() + ticks;
    timer->is_running = true;
    const uint32_t period = timer->is_periodic ? ticks : NEVER;
    const enum bulkhead_result result = bulkhead_timer_start(timer->handle, ticks, period);
    return result == BULKHEAD_OK ? osOK : osError;
}

osStatus_t osTimerStop(osTimerId_t timer_id) {
    struct bulkhead_os_timer *timer = find(timer_id);
    if (timer == NULL) {
        return osErrorParameter;
    }
    if (!timer->is_running) {
        return osErrorResource;
    }
    stop(timer);
    return osOK;
}

uint32_t osTimerIsRunning(osTimerId_t timer_id) {
    const struct bulkhead_os_timer *timer = find(timer_id);
    return timer != NULL && timer->is_running;
}

osStatus_t osTimerDelete(osTimerId_t timer_id) {
    struct bulkhead_os_timer *timer = find(timer_id);
    if (timer == NULL) {
        return osErrorParameter;
    }
    stop(timer);
    timer->entry.is_used = false;
    return osOK;
}

// --- The thread of the timers --------------------------------------------------------------------

// Calls the function of a timer, unless the timer was stopped or started again between the wake-up
// of this thread and now.
static void call_function(struct bulkhead_os_timer *timer) {
    if (!timer->is_running || (int32_t)(bulkhead_ticks() - timer->due) < 0) {
        return;
    }
    timer->is_running = timer->is_periodic;
    timer->due = bulkhead_ticks() + 1;
    timer->function(timer->argument);
}

void os_run_timers(void) {
    uint32_t due = ~osFlagsError;
    if (bulkhead_os.timers_count == 0) {
        bulkhead_exit();
    }
    while (bulkhead_flags_take_any(bulkhead_os.timer_flags, &due, BULKHEAD_FOREVER) ==
           BULKHEAD_OK) {
        for (uint32_t i = 0; i < bulkhead_os.timers_count; i++) {
            if (due >> i & 1) {
                call_function(&bulkhead_os.timers[i]);
            }
        }
        due = ~osFlagsError;
    }
    bulkhead_exit();
}
