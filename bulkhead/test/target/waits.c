// SPDX-License-Identifier: MIT
//
// Tests calls that block and calls that wake threads, in each state of the threads: which thread
// runs next, and with which result. On some architectures there is assembler code for the common
// states, which must do the same as the C functions.
//
// Each case has a program for the main thread, programs for other threads, and the trace: the steps
// of all threads in the order in which they end. Threads a, b and c have the highest priority, then
// d, then m (the main thread) and e, then f and g. Every case runs with a semaphore and a mutex of
// the kernel, with local ones in the memory of the process, and with system calls for the local
// ones. Each of these three runs twice: once with calls that give the semaphore, and once with
// interrupts that give it instead.
#include "handles.h"
#include "report.h"
#include "waits_cases.h"
#include <bulkhead/bulkhead.h>

extern const uint32_t bulkhead_identities[]; // of every thread, in the order of the declaration

enum { SHORT_TICKS = 3, LONG_TICKS = 6, TRACE_BYTES = 120 };
enum semaphore { SHARED, OWN, OWN_BY_CALL, SEMAPHORES };

static const uint32_t threads[] = {THREAD_A, THREAD_B, THREAD_C, THREAD_D,
                                   THREAD_E, THREAD_F, THREAD_G};
enum { WORKERS = sizeof threads / sizeof *threads };

static struct bulkhead_semaphore *const own = SEMAPHORE_OWN;
static struct bulkhead_mutex *const own_mutex = MUTEX_OWN;
static const struct waits_case *current;
static enum semaphore semaphore;
static bool posts; // an interrupt gives the semaphore
static char trace[TRACE_BYTES];
static uint32_t traced;

// --- Takes and gives of the three kinds of semaphore ---------------------------------------------

static enum bulkhead_result take(uint32_t timeout_ticks) {
    switch (semaphore) {
    case SHARED:
        return bulkhead_semaphore_take(SEMAPHORE_SHARED, timeout_ticks);
    case OWN:
        return bulkhead_semaphore_take(own, timeout_ticks);
    default:
        return bulkhead_semaphore_take(own->handle, timeout_ticks);
    }
}

static enum bulkhead_result give(void) {
    if (posts) {
        return bulkhead_interrupt_pend(semaphore == SHARED ? INTERRUPT_SHARED : INTERRUPT_OWN);
    }
    switch (semaphore) {
    case SHARED:
        return bulkhead_semaphore_give(SEMAPHORE_SHARED);
    case OWN:
        return bulkhead_semaphore_give(own);
    default:
        return bulkhead_semaphore_give(own->handle);
    }
}

static enum bulkhead_result lock(void) {
    switch (semaphore) {
    case SHARED:
        return bulkhead_mutex_lock(MUTEX_SHARED, BULKHEAD_FOREVER);
    case OWN:
        return bulkhead_mutex_lock(own_mutex, BULKHEAD_FOREVER);
    default:
        return bulkhead_mutex_lock(own_mutex->handle, BULKHEAD_FOREVER);
    }
}

static enum bulkhead_result unlock(void) {
    switch (semaphore) {
    case SHARED:
        return bulkhead_mutex_unlock(MUTEX_SHARED);
    case OWN:
        return bulkhead_mutex_unlock(own_mutex);
    default:
        return bulkhead_mutex_unlock(own_mutex->handle);
    }
}

static uint32_t thread_named(char name) {
    return name == 'm' ? THREAD_M : threads[name - 'a'];
}

static enum bulkhead_result step_with(char step, uint32_t thread) {
    switch (step) {
    case 'x':
        return bulkhead_start_thread(thread);
    case 's':
        return bulkhead_suspend(thread);
    case 'r':
        return bulkhead_resume(thread);
    default:
        return bulkhead_notify(thread);
    }
}

static enum bulkhead_result step_alone(char step) {
    switch (step) {
    case 't':
        return take(BULKHEAD_FOREVER);
    case 'T':
        return take(SHORT_TICKS);
    case 'p':
        return take(BULKHEAD_NO_WAIT);
    case 'w':
        return bulkhead_notification_wait(BULKHEAD_FOREVER);
    case 'W':
        return bulkhead_notification_wait(SHORT_TICKS);
    case 'q':
        return bulkhead_notification_wait(BULKHEAD_NO_WAIT);
    case 'v':
        return give();
    case 'z':
        return bulkhead_delay(LONG_TICKS);
    case 'l':
        return lock();
    case 'u':
        return unlock();
    default:
        bulkhead_yield();
        return BULKHEAD_OK;
    }
}

static bool names_thread(char step) {
    return step == 'x' || step == 's' || step == 'r' || step == 'n';
}

// Appends a step to the trace when its call has returned. No other thread can append at the same
// time, because no thread waits for a tick while another one runs.
static void append(char thread, const char *step, enum bulkhead_result result) {
    if (traced != 0) {
        trace[traced++] = ' ';
    }
    trace[traced++] = thread;
    trace[traced++] = step[0];
    if (names_thread(step[0])) {
        trace[traced++] = step[1];
    }
    if (result != BULKHEAD_OK) {
        trace[traced++] = result == BULKHEAD_TIMED_OUT ? '-' : '!';
    }
    trace[traced] = '\0';
    require(traced < TRACE_BYTES - 8, "a trace is too long");
}

static void perform(char thread, const char *program) {
    for (const char *step = program; *step != '\0'; step++) {
        if (*step == ' ') {
            continue;
        }
        const bool is_long = names_thread(*step);
        append(thread, step, is_long ? step_with(*step, thread_named(step[1])) : step_alone(*step));
        step += is_long;
    }
}

// --- Threads -------------------------------------------------------------------------------------

void worker_main(void);
void worker_main(void) {
    uint32_t index = 0;
    while (bulkhead_page.self != bulkhead_identities[index]) {
        index++;
    }
    perform((char)('a' + index), current->workers[index]);
    bulkhead_exit();
}

static bool is_equal(const char *one, const char *other) {
    while (*one == *other && *one != '\0') {
        one++;
        other++;
    }
    return *one == *other;
}

static void require_trace(void) {
    if (is_equal(trace, current->trace)) {
        return;
    }
    say("waits: m does: ");
    say(current->main);
    say("\nexpected: ");
    say(current->trace);
    say("\nfound:    ");
    say(trace);
    say("\n");
    require(false, "threads do not run in the order of the case");
}

// Runs a case, and requires that every thread has ended.
static void run(const struct waits_case *each) {
    current = each;
    traced = 0;
    perform('m', each->main);
    bulkhead_delay(LONG_TICKS);
    require_trace();
    for (uint32_t i = 0; i < WORKERS; i++) {
        require(bulkhead_join(threads[i], SHORT_TICKS) == BULKHEAD_OK, "a thread did not end");
    }
}

// This case runs after each other case: it requires that no count of the semaphore and no
// notification is left.
static const struct waits_case nothing_left = {"xa", "ap- aq- mxa", {"p q"}};

void main_main(void);
void main_main(void) {
    for (semaphore = SHARED; semaphore < SEMAPHORES; semaphore++) {
        for (uint32_t i = 0; i < 2 * waits_case_count; i++) {
            posts = i >= waits_case_count;
            run(&waits_cases[i % waits_case_count]);
            run(&nothing_left);
        }
    }
    say("waits: cases ");
    say_number(waits_case_count);
    succeed();
}
