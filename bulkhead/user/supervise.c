// SPDX-License-Identifier: MIT
//
// The supervisor of supervise.h. It looks at one process after another, and returns at the first
// event; the state that the event leaves makes the next look find the next event.
//
// Times are compared by their difference, because ticks wrap.
#include <bulkhead/supervise.h>

#define EVENT(kind, process) ((struct bulkhead_event){kind, process})

enum { LONGEST_DELAY_TICKS = 0x3FFFFFFF };

// "Nothing happened": no process has this index.
#define NO_EVENT EVENT(BULKHEAD_ALL_ALIVE, UINT32_MAX)

static bool is_past(uint32_t tick, uint32_t now) {
    return (int32_t)(now - tick) >= 0;
}

// --- Failures ------------------------------------------------------------------------------------

static uint32_t delay_of(const struct bulkhead_policy *policy, uint32_t restarts) {
    uint32_t ticks = policy->delay_ticks;
    while (ticks != 0 && restarts-- != 0 && ticks <= LONGEST_DELAY_TICKS / 2) {
        ticks *= 2;
    }
    return ticks;
}

// Decides what follows a failure: a restart, or none.
static void fail(const struct bulkhead_policy *policy, struct bulkhead_supervised *state,
                 uint32_t now) {
    state->since = now;
    if (state->restarts == policy->limit) {
        state->state = BULKHEAD_GIVES_UP;
        return;
    }
    state->due = now + delay_of(policy, state->restarts);
    state->restarts++;
    state->state = BULKHEAD_AWAITS_RESTART;
}

// The count ends here, and not at the next failure, before which the ticks may wrap.
static void count_again(const struct bulkhead_policy *policy, struct bulkhead_supervised *state,
                        uint32_t now) {
    if (now - state->since >= policy->stable_ticks) {
        state->restarts = 0;
    }
}

static void restart(const struct bulkhead_policy *policy, struct bulkhead_supervised *state) {
    (void)bulkhead_process_restart(policy->process);
    state->state = BULKHEAD_RUNS;
    state->since = bulkhead_ticks();
    state->is_heard = false;
}

// Does the next thing for a process.
static struct bulkhead_event look(struct bulkhead_supervisor *all, uint32_t index) {
    const struct bulkhead_policy *policy = &all->policies[index];
    struct bulkhead_supervised *state = &all->states[index];
    const uint32_t now = bulkhead_ticks();
    switch (state->state) {
    case BULKHEAD_RUNS:
        count_again(policy, state, now);
        if (bulkhead_process_is_ended(policy->process) != BULKHEAD_OK) {
            return NO_EVENT;
        }
        fail(policy, state, now);
        return EVENT(BULKHEAD_FAULTED, index);
    case BULKHEAD_AWAITS_RESTART:
        if (!is_past(state->due, now)) {
            return NO_EVENT;
        }
        restart(policy, state);
        return EVENT(BULKHEAD_RESTARTED, index);
    case BULKHEAD_GIVES_UP:
        state->state = BULKHEAD_GIVEN_UP;
        return EVENT(BULKHEAD_GAVE_UP, index);
    default:
        if (policy->record != 0) {
            (void)bulkhead_record_reset(policy->record, policy->process);
        }
        return NO_EVENT;
    }
}

// --- Periods -------------------------------------------------------------------------------------

// Asks a process whether it is alive, and takes back what it said.
static bool is_alive(const struct bulkhead_policy *policy) {
    uint32_t flags = policy->alive;
    const enum bulkhead_result result =
        bulkhead_kernel_flags_wait_all(policy->flags, &flags, BULKHEAD_NO_WAIT);
    (void)bulkhead_kernel_flags_clear(policy->flags, policy->alive);
    return result == BULKHEAD_OK;
}

static bool is_silent(const struct bulkhead_policy *policy, struct bulkhead_supervised *state) {
    if (policy->alive == 0 || state->state != BULKHEAD_RUNS) {
        return false;
    }
    const bool was_heard = state->is_heard;
    state->is_heard = true;
    return !is_alive(policy) && was_heard;
}

// Asks the next process at the end of a period.
static struct bulkhead_event ask(struct bulkhead_supervisor *all) {
    const uint32_t index = all->asked++;
    const struct bulkhead_policy *policy = &all->policies[index];
    struct bulkhead_supervised *state = &all->states[index];
    if (!is_silent(policy, state)) {
        return NO_EVENT;
    }
    all->is_silent = true;
    (void)bulkhead_process_end(policy->process);
    fail(policy, state, bulkhead_ticks());
    return EVENT(BULKHEAD_SILENT, index);
}

// Begins a period. One that the supervisor missed is not made up for.
static void begin_period(struct bulkhead_supervisor *all) {
    all->period_end = bulkhead_ticks() + all->period_ticks;
    all->asked = 0;
    all->is_silent = false;
    all->is_started = true;
}

static struct bulkhead_event end_period(struct bulkhead_supervisor *all) {
    while (all->asked < all->count) {
        const struct bulkhead_event event = ask(all);
        if (event.process != UINT32_MAX) {
            return event;
        }
    }
    const bool was_silent = all->is_silent;
    begin_period(all);
    return was_silent ? NO_EVENT : EVENT(BULKHEAD_ALL_ALIVE, 0);
}

// --- Waiting -------------------------------------------------------------------------------------

// Returns the ticks until the next restart, or the end of the period.
static uint32_t ticks_left(const struct bulkhead_supervisor *all) {
    const uint32_t now = bulkhead_ticks();
    uint32_t next = all->period_end;
    for (uint32_t i = 0; i < all->count; i++) {
        const struct bulkhead_supervised *state = &all->states[i];
        if (state->state == BULKHEAD_AWAITS_RESTART && is_past(state->due, next)) {
            next = state->due;
        }
    }
    return is_past(next, now) ? BULKHEAD_NO_WAIT : next - now;
}

static struct bulkhead_event next_event(struct bulkhead_supervisor *all) {
    for (uint32_t i = 0; i < all->count; i++) {
        const struct bulkhead_event event = look(all, i);
        if (event.process != UINT32_MAX) {
            return event;
        }
    }
    return is_past(all->period_end, bulkhead_ticks()) ? end_period(all) : NO_EVENT;
}

struct bulkhead_event bulkhead_supervise(struct bulkhead_supervisor *supervisor) {
    if (!supervisor->is_started) {
        begin_period(supervisor);
    }
    for (;;) {
        const struct bulkhead_event event = next_event(supervisor);
        if (event.process != UINT32_MAX) {
            return event;
        }
        (void)bulkhead_notification_wait(ticks_left(supervisor));
    }
}
