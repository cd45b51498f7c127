// SPDX-License-Identifier: MIT
//
// Tests how threads exit, join each other, are suspended, and share processor time in time slices.
#include "handles.h"
#include "report.h"
#include "thread.h"
#include <bulkhead/local.h>

// Only their addresses are used: threads cannot read kernel memory. The tester's process is the
// first one.
extern struct thread kernel_threads[];
extern const char processes[];
static struct bulkhead_mutex *const own = MUTEX_OWN;

// A timeout so long that the kernel cannot distinguish its end from a time in the past.
#define NO_TIME_TICKS 0xC0000000u

enum { SOME_TICKS = 3, SLICES_TICKS = 40 };
// The worker waits for flags whose bits are the address of its process. A control block this many
// bytes after the worker's would have these flags as its process.
enum { WANTED_AS_PROCESS = offsetof(struct thread, wanted) - offsetof(struct thread, process) };
enum { FAR = 0x380000 }; // the control block with this index would be at an address without memory

static void must(enum bulkhead_result result, enum bulkhead_result expected, const char *line) {
    require(result == expected, line);
}

static void start(uint32_t thread) {
    must(bulkhead_start_thread(thread), BULKHEAD_OK, "a thread did not start");
}

// Starts a thread of lower priority just after a tick, and lets it run for a whole tick.
static void start_for_a_tick(uint32_t thread) {
    bulkhead_delay(1);
    start(thread);
    bulkhead_delay(1);
}

// --- Threads that the tester uses ----------------------------------------------------------------

static enum {
    RETURNS,
    EXITS_LATER,
    TAKES,
    FORGES,
    NEVER_ENDS,
    DIES_HOLDING,
    HOLDS,
    HOLDS_OWN
} task; // what the worker does
static volatile enum bulkhead_result taken, joined;
static volatile uint32_t left_turns, right_turns, third_turns;

void worker_main(void);
void worker_main(void) {
    if (task == EXITS_LATER) {
        bulkhead_delay(SOME_TICKS);
    } else if (task == TAKES) {
        taken = bulkhead_semaphore_take(SEMAPHORE_GATE, SOME_TICKS);
    } else if (task == FORGES) {
        uint32_t bits = (uint32_t)(uintptr_t)processes;
        taken = bulkhead_flags_wait_all(FLAGS_FORGED, &bits, SOME_TICKS);
    } else if (task == NEVER_ENDS) {
        bulkhead_delay(NO_TIME_TICKS);
    } else if (task == DIES_HOLDING) {
        bulkhead_mutex_lock(MUTEX_KERNELS, BULKHEAD_FOREVER);
        bulkhead_delay(1);
    } else if (task == HOLDS) {
        bulkhead_mutex_lock(MUTEX_KERNELS, BULKHEAD_FOREVER);
        bulkhead_notification_wait(BULKHEAD_FOREVER);
        bulkhead_mutex_unlock(MUTEX_KERNELS);
    } else if (task == HOLDS_OWN) {
        bulkhead_mutex_lock(own, BULKHEAD_FOREVER);
        bulkhead_notification_wait(BULKHEAD_FOREVER);
        bulkhead_mutex_unlock(own);
    }
    bulkhead_exit();
}

// Waits for the mutex that the worker holds, if the worker holds one.
void joiner_main(void);
void joiner_main(void) {
    if (task == HOLDS) {
        joined = bulkhead_mutex_lock(MUTEX_KERNELS, BULKHEAD_FOREVER);
        bulkhead_mutex_unlock(MUTEX_KERNELS);
        bulkhead_exit();
    }
    if (task == HOLDS_OWN) {
        joined = bulkhead_mutex_lock(own, BULKHEAD_FOREVER);
        bulkhead_mutex_unlock(own);
        bulkhead_exit();
    }
    joined = bulkhead_join(THREAD_WORKER, BULKHEAD_FOREVER);
    bulkhead_exit();
}

static _Noreturn void take_turns(volatile uint32_t *turns) {
    for (;;) {
        ++*turns;
    }
}

void left_main(void);
void left_main(void) {
    take_turns(&left_turns);
}

void right_main(void);
void right_main(void) {
    take_turns(&right_turns);
}

void third_main(void);
void third_main(void) {
    take_turns(&third_turns);
}

void stranger_main(void);
void stranger_main(void) {
    bulkhead_delay(BULKHEAD_FOREVER);
}

// A thread of a process that may not write the tester's memory.
void doomed_main(void);
void doomed_main(void) {
    bulkhead_delay(1);
    third_turns = 1;
}

// --- Tests ---------------------------------------------------------------------------------------

static void test_join(void) {
    must(bulkhead_join(THREAD_WORKER, BULKHEAD_NO_WAIT), BULKHEAD_OK, "a dormant thread is joined");
    must(bulkhead_join(THREAD_TESTER, 1), BULKHEAD_REFUSED, "a thread joined itself");
    task = EXITS_LATER;
    start(THREAD_WORKER);
    must(bulkhead_join(THREAD_WORKER, BULKHEAD_NO_WAIT), BULKHEAD_TIMED_OUT, "it has not ended");
    must(bulkhead_join(THREAD_WORKER, 1), BULKHEAD_TIMED_OUT, "it did not end in a tick");
    must(bulkhead_join(THREAD_WORKER, BULKHEAD_FOREVER), BULKHEAD_OK, "its end was not told");
    start(THREAD_DOOMED);
    must(bulkhead_join(THREAD_DOOMED, BULKHEAD_FOREVER), BULKHEAD_PEER_LOST, "a fault is no exit");
}

static void test_one_joiner(void) {
    task = EXITS_LATER;
    joined = BULKHEAD_DENIED;
    start(THREAD_WORKER);
    start(THREAD_JOINER);
    must(bulkhead_join(THREAD_WORKER, 1), BULKHEAD_REFUSED, "two threads joined one");
    bulkhead_delay(SOME_TICKS + 2);
    must(joined, BULKHEAD_OK, "the first joiner was not told");
}

// Tests that a timeout runs on while the thread is suspended, and that the thread gets it as the
// result when it is resumed.
static void test_suspend_waiting(void) {
    task = TAKES;
    taken = BULKHEAD_DENIED;
    start_for_a_tick(THREAD_WORKER);
    must(bulkhead_suspend(THREAD_WORKER), BULKHEAD_OK, "a waiting thread was not suspended");
    bulkhead_delay(SOME_TICKS + 2);
    must(taken, BULKHEAD_DENIED, "a suspended thread ran");
    must(bulkhead_resume(THREAD_WORKER), BULKHEAD_OK, "it was not resumed");
    must(bulkhead_resume(THREAD_WORKER), BULKHEAD_REFUSED, "a thread was resumed twice");
    must(bulkhead_join(THREAD_WORKER, 2), BULKHEAD_OK, "it did not go on");
    must(taken, BULKHEAD_TIMED_OUT, "its timeout was forgotten");
}

// Tests that a suspended thread that waits for a semaphore still gets the count that is given.
static void test_give_to_suspended(void) {
    task = TAKES;
    start_for_a_tick(THREAD_WORKER);
    must(bulkhead_suspend(THREAD_WORKER), BULKHEAD_OK, "a waiting thread was not suspended");
    must(bulkhead_semaphore_give(SEMAPHORE_GATE), BULKHEAD_OK, "a semaphore was not given");
    must(bulkhead_semaphore_take(SEMAPHORE_GATE, 1), BULKHEAD_TIMED_OUT, "a count was taken twice");
    must(bulkhead_resume(THREAD_WORKER), BULKHEAD_OK, "it was not resumed");
    must(bulkhead_join(THREAD_WORKER, 2), BULKHEAD_OK, "it did not go on");
    must(taken, BULKHEAD_OK, "it was given a count and does not have it");
}

static void test_dormant(void) {
    must(bulkhead_suspend(THREAD_WORKER), BULKHEAD_REFUSED, "a dormant thread was suspended");
    must(bulkhead_resume(THREAD_WORKER), BULKHEAD_REFUSED, "a dormant thread was resumed");
    task = NEVER_ENDS;
    start(THREAD_WORKER);
    must(bulkhead_start_thread(THREAD_WORKER), BULKHEAD_REFUSED, "a thread was started twice");
    must(bulkhead_resume(THREAD_WORKER), BULKHEAD_REFUSED, "a ready thread was resumed");
    must(bulkhead_join(THREAD_WORKER, SOME_TICKS), BULKHEAD_TIMED_OUT, "a delay for ever ended");
}

static void test_bounds(void) {
    must(bulkhead_set_priority(THREAD_TESTER, 32), BULKHEAD_REFUSED, "there is no such priority");
    must(bulkhead_semaphore_give(SEMAPHORE_GATE), BULKHEAD_OK, "a semaphore was not given");
    must(bulkhead_semaphore_give(SEMAPHORE_GATE), BULKHEAD_REFUSED,
         "it was given past its maximum");
    must(bulkhead_semaphore_take(SEMAPHORE_GATE, 1), BULKHEAD_OK, "a count was lost");
}

// Returns when the worker has locked the mutex and the joiner waits for it.
static void let_wait(void) {
    joined = BULKHEAD_DENIED;
    start_for_a_tick(THREAD_WORKER);
    start(THREAD_JOINER);
    bulkhead_delay(1);
}

static void let_go_on(void) {
    bulkhead_notify(THREAD_WORKER);
    must(bulkhead_join(THREAD_WORKER, 2), BULKHEAD_OK, "a holder did not go on");
    must(joined, BULKHEAD_OK, "a mutex was not passed on");
}

static void test_holders(void) {
    must(bulkhead_mutex_lock(MUTEX_KERNELS, BULKHEAD_NO_WAIT), BULKHEAD_OK, "no lock");
    must(bulkhead_mutex_lock(MUTEX_KERNELS, 1), BULKHEAD_REFUSED, "a mutex was locked twice");
    task = RETURNS;
    start(THREAD_WORKER);
    must(bulkhead_join(THREAD_WORKER, 2), BULKHEAD_OK, "it did not end");
    must(bulkhead_mutex_unlock(MUTEX_KERNELS), BULKHEAD_OK, "another's end unlocked a mutex");
    task = DIES_HOLDING;
    start_for_a_tick(THREAD_WORKER);
    must(bulkhead_mutex_lock(MUTEX_KERNELS, SOME_TICKS), BULKHEAD_PEER_LOST,
         "the holder's end was not told");
    must(bulkhead_mutex_unlock(MUTEX_KERNELS), BULKHEAD_OK,
         "the thread that was woken is not the holder");
    must(bulkhead_join(THREAD_WORKER, 2), BULKHEAD_OK, "a holder did not end");
    task = HOLDS;
    let_wait();
    must(bulkhead_mutex_unlock(MUTEX_KERNELS), BULKHEAD_REFUSED, "another unlocked a mutex");
    must(joined, BULKHEAD_DENIED, "another unlocked a mutex");
    let_go_on();
}

static void refuse_word(uint32_t word, const char *line) {
    own->word = word;
    must(bulkhead_kernel_mutex_lock(HANDLE_MUTEX_OWN, BULKHEAD_NO_WAIT), BULKHEAD_REFUSED, line);
    own->word = BULKHEAD_MUTEX_FREE;
}

// Tests words of a local mutex with invalid values: the kernel follows the word only if it names a
// thread that may hold the mutex.
static void test_spoilt_mutex(void) {
    const uint32_t stranger = thread_identity(&kernel_threads[THREAD_STRANGER - THREAD_TESTER]);
    const uint32_t worker = thread_identity(&kernel_threads[THREAD_WORKER - THREAD_TESTER]);
    const uint32_t nowhere = thread_identity(kernel_threads) + FAR * sizeof(struct thread);
    refuse_word(stranger, "a thread of another process holds a local mutex");
    refuse_word(nowhere, "what is nowhere holds a mutex");
    refuse_word(worker, "a thread that is not there holds a mutex");
    task = FORGES;
    start_for_a_tick(THREAD_WORKER);
    refuse_word(worker + WANTED_AS_PROCESS, "what is no thread holds a mutex");
    must(bulkhead_join(THREAD_WORKER, BULKHEAD_FOREVER), BULKHEAD_OK, "it did not end");
    task = HOLDS_OWN;
    let_wait();
    own->word = BULKHEAD_MUTEX_FREE;
    must(bulkhead_kernel_mutex_lock(HANDLE_MUTEX_OWN, BULKHEAD_NO_WAIT), BULKHEAD_TIMED_OUT,
         "a mutex that others wait for was locked");
    let_go_on();
}

// Tests time slices: a thread that has used up its slice goes to the end of the ready threads of
// equal priority; a thread without a slice keeps running.
static void test_slices(void) {
    start(THREAD_LEFT);
    start(THREAD_RIGHT);
    bulkhead_delay(SLICES_TICKS);
    const uint32_t more = left_turns > right_turns ? left_turns : right_turns;
    const uint32_t less = left_turns + right_turns - more;
    require(less > more - more / 4, "slices are not equal");
    start(THREAD_THIRD);
    bulkhead_delay(SLICES_TICKS);
    require(third_turns != 0, "a slice did not end for a thread without one");
    const uint32_t left = left_turns, right = right_turns;
    bulkhead_delay(SLICES_TICKS);
    require(left == left_turns && right == right_turns, "a thread without a slice was stopped");
}

void tester_main(void);
void tester_main(void) {
    test_join();
    test_one_joiner();
    test_suspend_waiting();
    test_give_to_suspended();
    test_bounds();
    test_holders();
    test_spoilt_mutex();
    test_dormant();
    test_slices();
    say("threads: slices ");
    say_number(left_turns);
    say(" and ");
    say_number(right_turns);
    say(" turns");
    succeed();
}
