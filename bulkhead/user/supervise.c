// SPDX-License-Identifier: MIT
//
// The supervisor of supervise.h. It examines one process after another and returns at the first
// event. The state of the process then has changed, so the next call finds the next event.
//
// For the supervisor, the kernel keeps a note of each process: its state, and how often it was
// restarted in succession. So a supervisor that is restarted itself continues where it was. It
// writes the note after each decision and before it acts on the decision. If the supervisor ends
// between the two, a failure may be counted twice, but is never forgotten. A restart that has begun
// is completed by the kernel even if the supervisor ends meanwhile.
//
// Times are compared by their difference, because ticks wrap.
#include <bulkhead/supervise.h>

#define EVENT(kind, process) ((struct bulkhead_event){kind, process})

enum { LONGEST_DELAY_TICKS = 0x3FFFFFFF };

// "Nothing happened": no process has this index.
#define NO_EVENT EVENT(BULKHEAD_ALL_ALIVE, UINT32_MAX)

enum { NOTE_STATE = 3, NOTE_RESTARTS = 4 }; // the mask of the state, and one restart

static bool is_past(uint32_t tick, uint32_t now) {
    return (int32_t)(now - tick) >= 0;
}

// --- Notes of processes --------------------------------------------------------------------------

static void keep(const struct bulkhead_policy *policy, const struct bulkhead_supervised *state) {
    uint32_t note = state->restarts * NOTE_RESTARTS | state->state;
    (void)bulkhead_process_note(policy->process, &note, UINT32_MAX);
}

static uint32_t delay_of(const struct bulkhead_policy *policy, uint32_t restarts) {
    uint32_t ticks = policy->delay_ticks;
    while (ticks != 0 && restarts-- != 0 && ticks <= LONGEST_DELAY_TICKS / 2) {
        ticks *= 2;
    }
    return ticks;
}

// Continues from the note. A delay begins again. If the note says that the process runs, but it has
// ended, look_at_running counts a failure, even if only its restart was not made.
static void resume(const struct bulkhead_policy *policy, struct bulkhead_supervised *state) {
    uint32_t note = 0;
    (void)bulkhead_process_note(policy->process, &note, 0);
    *state = (struct bulkhead_supervised){
        .state = note & NOTE_STATE, .restarts = note / NOTE_RESTARTS, .since = bulkhead_ticks()};
    if (state->state == BULKHEAD_AWAITS_RESTART) {
        state->due = state->since + delay_of(policy, state->restarts - 1);
    }
}

// --- Failures ------------------------------------------------------------------------------------

// Decides what follows a failure of a process: a restart, or none.
static void fail(const struct bulkhead_policy *policy, struct bulkhead_supervised *state,
                 uint32_t now) {
    state->since = now;
    if (state->restarts == policy->limit) {
        state->state = BULKHEAD_GIVES_UP;
    } else {
        state->due = now + delay_of(policy, state->restarts);
        state->restarts++;
        state->state = BULKHEAD_AWAITS_RESTART;
    }
    keep(policy, state);
}

// Sets the count of restarts back to 0 after `stable_ticks` without a failure. This happens while
// the process runs, not at the next failure: a failure may be seen long after it came, and ticks
// wrap.
static void count_again(const struct bulkhead_policy *policy, struct bulkhead_supervised *state,
                        uint32_t now) {
    if (state->restarts != 0 && now - state->since >= policy->stable_ticks) {
        state->restarts = 0;
        keep(policy, state);
    }
}

static void restart(const struct bulkhead_policy *policy, struct bulkhead_supervised *state) {
    state->state = BULKHEAD_RUNS;
    keep(policy, state);
    (void)bulkhead_process_restart(policy->process);
    state->since = bulkhead_ticks();
    state->is_heard = false;
}

static struct bulkhead_event look_at_running(const struct bulkhead_policy *policy,
                                             struct bulkhead_supervised *state, uint32_t index) {
    const uint32_t now = bulkhead_ticks();
    switch (bulkhead_process_is_ended(policy->process)) {
    case BULKHEAD_OK:
        fail(policy, state, now);
        return EVENT(BULKHEAD_FAULTED, index);
    case BULKHEAD_REFUSED:
        count_again(policy, state, now);
        return NO_EVENT;
    default: // is being terminated, perhaps at a lower priority; a notification comes at the end
        state->since = now;
        return NO_EVENT;
    }
}

// Does what the state of a process requires next. Returns the event, or NO_EVENT.
static struct bulkhead_event look(struct bulkhead_supervisor *all, uint32_t index) {
    const struct bulkhead_policy *policy = &all->policies[index];
    struct bulkhead_supervised *state = &all->states[index];
    switch (state->state) {
    case BULKHEAD_RUNS:
        return look_at_running(policy, state, index);
    case BULKHEAD_AWAITS_RESTART:
        if (!is_past(state->due, bulkhead_ticks())) {
            return NO_EVENT;
        }
        restart(policy, state);
        return EVENT(BULKHEAD_RESTARTED, index);
    case BULKHEAD_GIVES_UP:
        state->state = BULKHEAD_GIVEN_UP;
        keep(policy, state);
        return EVENT(BULKHEAD_GAVE_UP, index);
    default:
        if (policy->record != 0) {
            (void)bulkhead_record_reset(policy->record, policy->process);
        }
        return NO_EVENT;
    }
}

// --- Periods -------------------------------------------------------------------------------------

// Returns whether a process has set its alive flags since the last call, and clears these flags.
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

// Asks the next process whether it is alive, at the end of a period.
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

// Begins a period, at the present tick: periods that the supervisor missed are skipped.
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

static uint32_t earlier(uint32_t tick, uint32_t other) {
    return is_past(tick, other) ? tick : other;
}

// Returns `next`, or an earlier tick at which the supervisor has to act for a process: to restart
// it, or to set its count of restarts back to 0.
static uint32_t next_of(const struct bulkhead_policy *policy,
                        const struct bulkhead_supervised *state, uint32_t next) {
    if (state->state == BULKHEAD_AWAITS_RESTART) {
        return earlier(state->due, next);
    }
    const bool counts = state->state == BULKHEAD_RUNS && state->restarts != 0;
    return counts ? earlier(state->since + policy->stable_ticks, next) : next;
}

// Returns the ticks until the supervisor next has to act for any process (next_of), at most until
// the end of the period.
static uint32_t ticks_left(const struct bulkhead_supervisor *all) {
    const uint32_t now = bulkhead_ticks();
    uint32_t next = all->period_end;
    for (uint32_t i = 0; i < all->count; i++) {
        next = next_of(&all->policies[i], &all->states[i], next);
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

static void begin(struct bulkhead_supervisor *all) {
    for (uint32_t i = 0; i < all->count; i++) {
        resume(&all->policies[i], &all->states[i]);
    }
    begin_period(all);
}

struct bulkhead_event bulkhead_supervise(struct bulkhead_supervisor *supervisor) {
    if (!supervisor->is_started) {
        begin(supervisor);
    }
    for (;;) {
        const struct bulkhead_event event = next_event(supervisor);
        if (event.process != UINT32_MAX) {
            return event;
        }
        (void)bulkhead_notification_wait(ticks_left(supervisor));
    }
}
