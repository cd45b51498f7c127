// SPDX-License-Identifier: MIT
//
// Paths for positions.c: threads that sleep, are suspended, exit, or get another priority. The
// thread `worker` has a higher priority than the lower thread, and exits when it is notified.
#include "handles.h"
#include "paths.h"

void worker_main(void);
void worker_main(void) {
    bulkhead_notification_wait(BULKHEAD_FOREVER);
    bulkhead_exit();
}

static bool start(void) {
    return is_ok(bulkhead_start_thread(THREAD_WORKER));
}

static bool let_end(void) {
    return is_ok(bulkhead_notify(THREAD_WORKER));
}

static bool join(void) {
    return is_expected(bulkhead_join(THREAD_WORKER, wait_ticks));
}

static bool start_and_join_in_time(void) {
    return start() && is_in_time(bulkhead_join(THREAD_WORKER, 1));
}

static bool has_gone(void) {
    return is_ok(bulkhead_join(THREAD_WORKER, BULKHEAD_NO_WAIT));
}

static bool join_nobody(void) {
    return bulkhead_join(THREAD_WORKER, BULKHEAD_NO_WAIT) == BULKHEAD_TIMED_OUT;
}

static bool end_and_join(void) {
    return let_end() && has_gone();
}

static enum bulkhead_result first_start, second_start;

static bool start_first(void) {
    first_start = bulkhead_start_thread(THREAD_WORKER);
    return true;
}

static bool start_second(void) {
    second_start = bulkhead_start_thread(THREAD_WORKER);
    return true;
}

static bool was_started_once(void) {
    const enum bulkhead_result other = is_ok(first_start) ? second_start : first_start;
    return (is_ok(first_start) || is_ok(second_start)) && other == BULKHEAD_REFUSED &&
           end_and_join();
}

// The lower thread suspends itself. The higher thread resumes it, but may do so before the
// suspension; then the lowest thread has to resume the lower thread.
static bool stop(void) {
    return is_ok(bulkhead_suspend(THREAD_LOW));
}

static bool resume_or_not(void) {
    const enum bulkhead_result result = bulkhead_resume(THREAD_LOW);
    return is_ok(result) || result == BULKHEAD_REFUSED;
}

// Suspends and resumes the worker, which may have exited before.
static bool stop_and_resume_worker(void) {
    const enum bulkhead_result result = bulkhead_suspend(THREAD_WORKER);
    return result == BULKHEAD_REFUSED || (is_ok(result) && is_ok(bulkhead_resume(THREAD_WORKER)));
}

static bool move_worker(void) {
    const enum bulkhead_result first = bulkhead_set_priority(THREAD_WORKER, 12);
    const enum bulkhead_result second = bulkhead_set_priority(THREAD_WORKER, 6);
    return second == BULKHEAD_REFUSED || (is_ok(first) && is_ok(second));
}

static bool lock_and_unlock(void) {
    return is_ok(bulkhead_mutex_lock(MUTEX_KERNELS, BULKHEAD_FOREVER)) &&
           is_ok(bulkhead_mutex_unlock(MUTEX_KERNELS));
}

// Changes the priority of a thread that holds a mutex. The holder still inherits the priority of
// the thread that waits for the mutex.
static bool lock_and_move(void) {
    return is_ok(bulkhead_mutex_lock(MUTEX_KERNELS, BULKHEAD_FOREVER)) &&
           is_ok(bulkhead_set_priority(THREAD_LOW, 12)) &&
           is_ok(bulkhead_mutex_unlock(MUTEX_KERNELS)) &&
           is_ok(bulkhead_set_priority(THREAD_LOW, 10));
}

static bool sleep(void) {
    return is_ok(bulkhead_delay(1));
}

static bool sleep_until(void) {
    return is_ok(bulkhead_delay_until(bulkhead_page.ticks + 2));
}

// clang-format off: a row a path
const struct path thread_paths[] = {
    {"a delay", TIMED, .wait = sleep},
    {"a release", TIMED, .wait = sleep_until},
    {"a thread's end", ENDED, .prepare = start, .wait = join, .end = let_end},
    {"a thread that ends", ENDED, .prepare = start, .wait = let_end, .end = join},
    {"a thread's end, in time", TIMED, .prepare = start, .wait = join, .restore = end_and_join},
    {"an end that is not waited for", ENDED, .prepare = start, .wait = join_nobody,
     .restore = end_and_join},
    {"ending in time", RACED, .prepare = start_and_join_in_time, .wait = let_end,
     .restore = has_gone},
    {"a thread that both start", ENDED, .wait = start_first, .end = start_second,
     .restore = was_started_once},
    {"its suspension", ENDED, .wait = stop, .end = resume_or_not, .rescue = resume_or_not},
    {"a waiter that is suspended", ENDED, .prepare = start, .wait = stop_and_resume_worker,
     .end = let_end, .restore = has_gone},
    {"a waiter that changes its priority", ENDED, .prepare = start, .wait = move_worker,
     .end = let_end, .restore = has_gone},
    {"a holder that changes its priority", ENDED, .wait = lock_and_move, .end = lock_and_unlock},
    {0},
};
// clang-format on
