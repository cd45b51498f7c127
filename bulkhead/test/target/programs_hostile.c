// SPDX-License-Identifier: MIT
//
// The hostile process of programs.c. The judge sets the number of the program before it restarts
// this process; the threads then execute that program.
#include "programs.h"
#include "attempts.h"
#include "floats.h"
#include "handles.h"
#include <bulkhead/bulkhead.h>

enum { OFTEN = 50 };

volatile uint32_t progress;
static volatile uint32_t random_state, parked;

void hostile_a_entry(void);
void hostile_b_entry(void);
void hostile_c_entry(void);

static uint32_t random_below(uint32_t bound) {
    random_state = (random_state + programs.seed) * 1664525u + 1013904223u;
    return (random_state >> 16) % bound;
}

static uint32_t any_word(void) {
    return random_below(2) == 0 ? random_below(4) - 1 : random_below(0x10000) << 16;
}

static void fault(void) {
    *(volatile uint32_t *)0xFFFFFFF0u = 0;
}

_Noreturn static void park(void) {
    for (;;) {
        bulkhead_delay(1);
        parked++;
    }
}

static void call_service(uint32_t what, uint32_t timeout) {
    uint32_t words[4] = {what};
    (void)bulkhead_gate_call(GATE_SERVICE, words, timeout);
    progress++;
}

static void serve(uint32_t *words) {
    uint32_t caller;
    (void)bulkhead_gate_receive(GATE_TRAP, words, &caller, BULKHEAD_FOREVER);
    progress++;
}

// --- Nested locks --------------------------------------------------------------------------------

static void lock_both(uint32_t first, uint32_t second, uint32_t timeout) {
    floats_fill(progress, ~progress);
    (void)bulkhead_mutex_lock(first, BULKHEAD_FOREVER);
    progress++;
    (void)bulkhead_mutex_lock(second, timeout);
    progress++;
}

static void nested_locks_a(void) {
    lock_both(MUTEX_OUTER, MUTEX_INNER, 2);
    (void)bulkhead_mutex_lock(MUTEX_OWN, BULKHEAD_NO_WAIT);
    call_service(CALL_BACK, 2);
    fault();
}

// --- A cycle of locks ----------------------------------------------------------------------------

static void cycle_a(void) {
    (void)bulkhead_mutex_lock(MUTEX_OUTER, BULKHEAD_FOREVER);
    progress++;
    bulkhead_delay(1);
    for (;;) {
        (void)bulkhead_mutex_lock(MUTEX_INNER, BULKHEAD_FOREVER);
        progress++;
    }
}

static void cycle_b(void) {
    (void)bulkhead_mutex_lock(MUTEX_INNER, BULKHEAD_FOREVER);
    progress++;
    for (;;) {
        (void)bulkhead_mutex_lock(MUTEX_OUTER, 1);
        progress++;
    }
}

static void spin_for_ever(void) {
    for (;;) {
        floats_fill(progress, parked);
    }
}

// --- Foreign memory ------------------------------------------------------------------------------

static void give_address(void *address) {
    (void)bulkhead_queue_send(QUEUE_MAIL, address, BULKHEAD_NO_WAIT);
    (void)bulkhead_queue_receive(QUEUE_MAIL, address, 1);
    (void)bulkhead_fault_read(PROCESS_HOSTILE, address);
    (void)bulkhead_measured_time(MEASURED_HOSTILE_A, address);
    (void)bulkhead_record_read(RECORD_BLACK_BOX, 0, address);
    progress++;
}

static void foreign_memory_a(void) {
    uint8_t *const words = (uint8_t *)programs.constants;
    for (uint32_t i = 0; i < 8; i++) {
        floats_fill(i, ~i);
        give_address(words + 4 * i - random_below(8));
    }
    (void)bulkhead_mutex_lock(MUTEX_INNER, 1);
    programs.constants[random_below(8)] = 0;
}

// --- A mutex holder that spends its budget of time -----------------------------------------------

static void spent_a(void) {
    lock_both(MUTEX_OUTER, MUTEX_INNER, 2);
    for (const uint32_t began = bulkhead_ticks(); bulkhead_ticks() - began < 12;) {
        floats_fill(began, parked);
    }
    progress += 2;
    bulkhead_exit();
}

static void spent_b(void) {
    for (;;) {
        (void)bulkhead_semaphore_give(SEMAPHORE_COUNT);
        (void)bulkhead_semaphore_take(SEMAPHORE_COUNT, 1);
        (void)bulkhead_mutex_lock(MUTEX_INNER, random_below(3));
    }
}

// --- Threads -------------------------------------------------------------------------------------

static void control(uint32_t thread) {
    (void)bulkhead_set_priority(thread, 7 + random_below(4));
    switch (random_below(5)) {
    case 0:
        (void)bulkhead_suspend(thread);
        break;
    case 1:
        (void)bulkhead_notify(thread);
        break;
    case 2:
        (void)bulkhead_start_thread(thread);
        break;
    case 3:
        (void)bulkhead_join(thread, random_below(2));
        break;
    default:
        (void)bulkhead_resume(thread);
        break;
    }
    progress++;
}

static void threads_a(void) {
    (void)bulkhead_timer_start(TIMER_NOTIFYING, 1, 1);
    for (;;) {
        control(random_below(2) == 0 ? THREAD_HOSTILE_B : THREAD_HOSTILE_C);
        call_service(ANSWER, random_below(2));
    }
}

static void end_under_locks(void) {
    floats_fill(progress, parked);
    (void)bulkhead_mutex_lock(MUTEX_INNER, 1);
    (void)bulkhead_mutex_lock(MUTEX_OUTER, 1);
    (void)bulkhead_notification_wait(random_below(2));
    bulkhead_exit();
}

// --- Local words ---------------------------------------------------------------------------------

static void spoil(void) {
    MUTEX_OWN->word = any_word();
    SEMAPHORE_OWN->count = (int32_t)any_word();
    (void)bulkhead_mutex_unlock(MUTEX_OWN->handle);
    (void)bulkhead_kernel_semaphore_give(SEMAPHORE_OWN->handle);
    (void)bulkhead_kernel_mutex_lock(MUTEX_OWN->handle, random_below(2));
    progress++;
}

static void local_words_a(void) {
    (void)bulkhead_mutex_lock(MUTEX_OUTER, BULKHEAD_FOREVER);
    for (uint32_t i = 0; i < OFTEN; i++) {
        spoil();
    }
    fault();
}

static void wait_for_local(void) {
    for (;;) {
        (void)bulkhead_kernel_mutex_lock(MUTEX_OWN->handle, 1);
        (void)bulkhead_kernel_semaphore_take(SEMAPHORE_OWN->handle, random_below(2));
        bulkhead_yield();
    }
}

// --- Calls in a circle ---------------------------------------------------------------------------

static void circular_a(void) {
    (void)bulkhead_mutex_lock(MUTEX_OUTER, 2);
    for (;;) {
        call_service(CALL_BACK, random_below(3));
    }
}

static void circular_c(void) {
    uint32_t words[4] = {0};
    serve(words);
    call_service(CALL_BACK, 1);
    (void)bulkhead_mutex_lock(MUTEX_INNER, 1);
    serve(words);
    fault();
}

// --- Timers --------------------------------------------------------------------------------------

static void start_timers(uint32_t first, uint32_t period) {
    (void)bulkhead_timer_start(TIMER_POSTING, first, period);
    (void)bulkhead_timer_start(TIMER_SETTING, first, period);
    (void)bulkhead_timer_start(TIMER_NOTIFYING, first, period);
    progress++;
}

static void timers_a(void) {
    lock_both(MUTEX_INNER, MUTEX_OUTER, 1);
    start_timers(0x80000000u, 1);
    start_timers(1, UINT32_MAX);
    start_timers(0, 0);
    start_timers(1, 1);
    bulkhead_delay(4);
    fault();
}

static void timers_b(void) {
    for (;;) {
        uint32_t bits = 4;
        (void)bulkhead_notification_wait(2);
        (void)bulkhead_flags_take_all(FLAGS_SIGNS, &bits, 1);
        (void)bulkhead_semaphore_take(SEMAPHORE_COUNT, 1);
    }
}

// --- The log -------------------------------------------------------------------------------------

static void write_log(void) {
    struct bulkhead_ring *const ring = LOG_HOSTILE->ring;
    BULKHEAD_LOG(LOG_HOSTILE, "%c%x%x", any_word(), any_word(), any_word());
    ring->written += any_word();
    ((uint32_t *)ring)[random_below(40)] = any_word();
    progress++;
}

static void logs_a(void) {
    (void)bulkhead_mutex_lock(MUTEX_INNER, BULKHEAD_FOREVER);
    for (uint32_t i = 0; i < OFTEN; i++) {
        floats_fill(i, ~i);
        write_log();
        call_service(CALL_BACK + 1, random_below(2));
    }
    run_undefined(0);
}

static void logs_c(void) {
    for (;;) {
        write_log();
        bulkhead_delay(random_below(2));
    }
}

// --- Random combinations of all hostile programs -------------------------------------------------

static void any_piece(void) {
    switch (random_below(10)) {
    case 0:
        lock_both(MUTEX_OUTER, MUTEX_INNER, random_below(3));
        break;
    case 1:
        call_service(random_below(2) == 0 ? CALL_BACK : ANSWER, random_below(3));
        break;
    case 2:
        give_address((uint8_t *)programs.constants + random_below(32));
        break;
    case 3:
        control(THREAD_HOSTILE_A + random_below(3));
        break;
    case 4:
        spoil();
        break;
    case 5:
        start_timers(random_below(3), random_below(3));
        break;
    case 6:
        write_log();
        break;
    case 7:
        (void)bulkhead_mutex_unlock(random_below(2) == 0 ? MUTEX_OUTER : MUTEX_INNER);
        break;
    case 8:
        (void)bulkhead_notification_wait(random_below(2));
        break;
    default:
        if (random_below(OFTEN) == 0) {
            fault();
        }
        break;
    }
}

static void everything(void) {
    for (;;) {
        floats_fill(random_state, progress);
        any_piece();
    }
}

// --- Threads of the process ----------------------------------------------------------------------

static void serve_for_ever(void) {
    uint32_t words[4] = {0};
    for (;;) {
        serve(words);
        bulkhead_suspend(THREAD_HOSTILE_C);
    }
}

typedef void part(void);

static part *const parts[PROGRAMS][3] = {
    [NESTED_LOCKS] = {nested_locks_a, park, serve_for_ever},
    [CYCLE_OF_LOCKS] = {cycle_a, cycle_b, spin_for_ever},
    [FOREIGN_MEMORY] = {foreign_memory_a, spent_b, serve_for_ever},
    [SPENT_HOLDER] = {spent_a, spent_b, spin_for_ever},
    [THREADS] = {threads_a, end_under_locks, end_under_locks},
    [LOCAL_WORDS] = {local_words_a, wait_for_local, wait_for_local},
    [CIRCULAR_CALLS] = {circular_a, spent_b, circular_c},
    [TIMERS] = {timers_a, timers_b, spin_for_ever},
    [LOGS] = {logs_a, wait_for_local, logs_c},
    [EVERYTHING] = {everything, everything, everything},
};

static void play(uint32_t which) {
    random_state += programs.seed;
    parts[programs.number][which]();
    park();
}

void hostile_a_entry(void) {
    play(0);
}

void hostile_b_entry(void) {
    play(1);
}

void hostile_c_entry(void) {
    play(2);
}
