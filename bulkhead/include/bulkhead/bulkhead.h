// SPDX-License-Identifier: MIT
//
// What a thread may ask of the kernel. Every function here is one system call, except where its
// comment says that it makes none.
//
// Handles are numbers from the declaration; each process has a right to some. A call without the
// right, or of a method that the right does not have, does nothing and returns BULKHEAD_DENIED.
// Times are ticks. A call that takes a timeout does not wait with BULKHEAD_NO_WAIT and waits for
// ever with BULKHEAD_FOREVER; and with any time from 2^31 on, which could not be told from the
// past.
//
// For objects that one process alone uses there is bulkhead/local.h: the same services without a
// call.
#ifndef BULKHEAD_BULKHEAD_H
#define BULKHEAD_BULKHEAD_H

#include <bulkhead/methods.h>
#include <bulkhead/result.h>
#include <bulkhead/svc.h>
#include <stddef.h>
#include <stdint.h>

#define BULKHEAD_NO_WAIT 0u
#define BULKHEAD_FOREVER UINT32_MAX

// What the kernel shows to everyone; the declaration places it.
struct bulkhead_page {
    uint32_t self;  // identity of the running thread
    uint32_t ticks; // since the kernel started; wraps
};

extern const volatile struct bulkhead_page bulkhead_page;

// --- Threads -------------------------------------------------------------------------------------
// Of another thread: the right `controls`.

// Enters the kernel and returns.
BULKHEAD_INLINE void bulkhead_null_call(void) {
    bulkhead_call_self(BULKHEAD_SELF_NULL);
}

// Goes behind the ready threads of the same priority.
BULKHEAD_INLINE void bulkhead_yield(void) {
    bulkhead_call_self(BULKHEAD_SELF_YIELD);
}

// Makes a suspended thread ready, if it does not wait as well. REFUSED if it is not suspended.
BULKHEAD_INLINE enum bulkhead_result bulkhead_resume(uint32_t thread) {
    return bulkhead_call(thread, BULKHEAD_THREAD_RESUME);
}

// Stops a thread, the caller itself included, until it is resumed. Does not nest. REFUSED if it is
// not there.
BULKHEAD_INLINE enum bulkhead_result bulkhead_suspend(uint32_t thread) {
    return bulkhead_call(thread, BULKHEAD_THREAD_SUSPEND);
}

// Brings a thread to life that was not started, or has ended. REFUSED if it is there, or still
// ends by itself: a join waits for that, and to try again and again keeps it from that. REFUSED
// while its process is being ended, too, but then all of that comes first, at the caller's
// priority. The memory of a process that was killed is as it was left.
BULKHEAD_INLINE enum bulkhead_result bulkhead_start_thread(uint32_t thread) {
    return bulkhead_call(thread, BULKHEAD_THREAD_START);
}

// Sleeps for so many tick interrupts.
BULKHEAD_INLINE enum bulkhead_result bulkhead_delay(uint32_t ticks) {
    return bulkhead_call_1(BULKHEAD_SELF, BULKHEAD_SELF_DELAY, ticks);
}

// Sleeps until tick `tick`. TIMED_OUT if it has passed already; the call does not wait then.
BULKHEAD_INLINE enum bulkhead_result bulkhead_delay_until(uint32_t tick) {
    return bulkhead_call_1(BULKHEAD_SELF, BULKHEAD_SELF_DELAY_UNTIL, tick);
}

// A thread that is released every `period_ticks`. Begin with `release` at bulkhead_page.ticks.
struct bulkhead_period {
    uint32_t release; // tick
    uint32_t period_ticks;
    uint32_t overruns; // releases that came while the thread was still at work
};

// Sleeps until the next release. TIMED_OUT, and an overrun, if that has passed: the thread goes on
// at once, and the releases after it stay where they are.
BULKHEAD_INLINE enum bulkhead_result bulkhead_period_wait(struct bulkhead_period *period) {
    period->release += period->period_ticks;
    const enum bulkhead_result result = bulkhead_delay_until(period->release);
    period->overruns += result != BULKHEAD_OK;
    return result;
}

// Changes the priority, 0 (highest) to 31, that a thread has when it inherits none. REFUSED if
// there is no such priority, or if the thread is not there.
BULKHEAD_INLINE enum bulkhead_result bulkhead_set_priority(uint32_t thread, uint32_t priority) {
    return bulkhead_call_1(thread, BULKHEAD_THREAD_SET_PRIORITY, priority);
}

// Waits for the end of a thread: OK also if it is not there at all, PEER_LOST if its process is
// ended meanwhile. REFUSED if another waits for it already, and for the caller itself.
BULKHEAD_INLINE enum bulkhead_result bulkhead_join(uint32_t thread, uint32_t timeout_ticks) {
    return bulkhead_call_1(thread, BULKHEAD_THREAD_JOIN, timeout_ticks);
}

// Ends the calling thread.
BULKHEAD_INLINE _Noreturn void bulkhead_exit(void) {
    for (;;) {
        bulkhead_call_self(BULKHEAD_SELF_EXIT);
    }
}

// --- Notifications -------------------------------------------------------------------------------
// A counter of each thread. Right: `notifies`.

// Adds one, or wakes the thread that waits for it.
BULKHEAD_INLINE enum bulkhead_result bulkhead_notify(uint32_t thread) {
    return bulkhead_call(thread, BULKHEAD_THREAD_NOTIFY);
}

// Waits until the caller's counter is not 0, and takes one off.
BULKHEAD_INLINE enum bulkhead_result bulkhead_notification_wait(uint32_t timeout_ticks) {
    return bulkhead_call_1(BULKHEAD_SELF, BULKHEAD_SELF_NOTIFICATION_WAIT, timeout_ticks);
}

// --- Semaphores ----------------------------------------------------------------------------------
// Waiters are served highest priority first, FIFO among equals; so everywhere below.

BULKHEAD_INLINE enum bulkhead_result bulkhead_semaphore_take(uint32_t semaphore,
                                                             uint32_t timeout_ticks) {
    return bulkhead_call_1(semaphore, BULKHEAD_SEMAPHORE_TAKE, timeout_ticks);
}

// REFUSED at the maximum.
BULKHEAD_INLINE enum bulkhead_result bulkhead_semaphore_give(uint32_t semaphore) {
    return bulkhead_call(semaphore, BULKHEAD_SEMAPHORE_GIVE);
}

// --- Mutexes -------------------------------------------------------------------------------------
// With priority inheritance. Not recursive: REFUSED to the holder. PEER_LOST: locked, but its
// holder ended. That is told to the first alone that waits when the holder ends; a mutex that
// nobody waited for is free again and tells nothing.

BULKHEAD_INLINE enum bulkhead_result bulkhead_mutex_lock(uint32_t mutex, uint32_t timeout_ticks) {
    return bulkhead_call_1(mutex, BULKHEAD_MUTEX_LOCK, timeout_ticks);
}

// The holder only; else REFUSED.
BULKHEAD_INLINE enum bulkhead_result bulkhead_mutex_unlock(uint32_t mutex) {
    return bulkhead_call(mutex, BULKHEAD_MUTEX_UNLOCK);
}

// --- Queues in the kernel ------------------------------------------------------------------------
// The message is copied, with the caller's own rights to its memory: DENIED if they do not suffice.

BULKHEAD_INLINE enum bulkhead_result bulkhead_kernel_queue_send(uint32_t queue, const void *message,
                                                                uint32_t timeout_ticks) {
    return bulkhead_call_2(queue, BULKHEAD_QUEUE_SEND, (uint32_t)message, timeout_ticks);
}

BULKHEAD_INLINE enum bulkhead_result bulkhead_kernel_queue_receive(uint32_t queue, void *message,
                                                                   uint32_t timeout_ticks) {
    return bulkhead_call_2(queue, BULKHEAD_QUEUE_RECEIVE, (uint32_t)message, timeout_ticks);
}

// --- Event flags ---------------------------------------------------------------------------------
// 31 flags, bits 0 to 30. Who waits gives the flags that it wants in `*flags` and finds there those
// that were set when it had them: any of the wanted, or all. To take clears the wanted.

// Wakes every thread whose condition holds now. Linear in the waiters, but stops for interrupts.
BULKHEAD_INLINE enum bulkhead_result bulkhead_flags_set(uint32_t object, uint32_t flags) {
    return bulkhead_call_1(object, BULKHEAD_FLAGS_SET, flags);
}

BULKHEAD_INLINE enum bulkhead_result bulkhead_flags_clear(uint32_t object, uint32_t flags) {
    return bulkhead_call_1(object, BULKHEAD_FLAGS_CLEAR, flags);
}

BULKHEAD_INLINE enum bulkhead_result bulkhead_flags_wait_any(uint32_t object, uint32_t *flags,
                                                             uint32_t timeout_ticks) {
    return bulkhead_exchange_2(object, BULKHEAD_FLAGS_WAIT_ANY, flags, timeout_ticks);
}

BULKHEAD_INLINE enum bulkhead_result bulkhead_flags_wait_all(uint32_t object, uint32_t *flags,
                                                             uint32_t timeout_ticks) {
    return bulkhead_exchange_2(object, BULKHEAD_FLAGS_WAIT_ALL, flags, timeout_ticks);
}

BULKHEAD_INLINE enum bulkhead_result bulkhead_flags_take_any(uint32_t object, uint32_t *flags,
                                                             uint32_t timeout_ticks) {
    return bulkhead_exchange_2(object, BULKHEAD_FLAGS_TAKE_ANY, flags, timeout_ticks);
}

BULKHEAD_INLINE enum bulkhead_result bulkhead_flags_take_all(uint32_t object, uint32_t *flags,
                                                             uint32_t timeout_ticks) {
    return bulkhead_exchange_2(object, BULKHEAD_FLAGS_TAKE_ALL, flags, timeout_ticks);
}

// --- Calls into another process ------------------------------------------------------------------
// A gate is served by one thread, which runs at the priority of whom it serves. Four words go with
// a call and four come back with the answer.

// TIMED_OUT: no answer in time; the server may still be at work for it. With NO_WAIT only a server
// that is busy does so, an answer is waited for. PEER_LOST: the server has ended, or does so.
// Who calls one that has, while its process is still being ended, is answered when all of that is
// over, at the caller's priority and with any timeout: so who calls again finds a server that was
// restarted. REFUSED: to itself.
BULKHEAD_INLINE enum bulkhead_result bulkhead_gate_call(uint32_t gate, uint32_t words[4],
                                                        uint32_t timeout_ticks) {
    if (timeout_ticks == BULKHEAD_FOREVER) {
        return bulkhead_exchange_words(gate, BULKHEAD_GATE_CALL, words, &timeout_ticks);
    }
    return bulkhead_exchange_words_1(gate, BULKHEAD_GATE_CALL_TIMED, words, &timeout_ticks);
}

// The server's: answers the call that it serves, if any, with `words`, and waits for the next,
// whose words it finds there, and whose caller's identity in `*caller`. TIMED_OUT: there was none,
// but the answer is given. REFUSED: the caller serves no gate.
BULKHEAD_INLINE enum bulkhead_result
bulkhead_gate_receive(uint32_t gate, uint32_t words[4], uint32_t *caller, uint32_t timeout_ticks) {
    if (timeout_ticks == BULKHEAD_FOREVER) {
        return bulkhead_exchange_words(gate, BULKHEAD_GATE_RECEIVE, words, caller);
    }
    *caller = timeout_ticks;
    return bulkhead_exchange_words_1(gate, BULKHEAD_GATE_RECEIVE_TIMED, words, caller);
}

// --- Pools of blocks in the kernel ---------------------------------------------------------------
// The blocks lie in a region that their users share. A block that was taken by a process which has
// ended stays taken.

BULKHEAD_INLINE enum bulkhead_result bulkhead_kernel_pool_allocate(uint32_t pool, void **block,
                                                                   uint32_t timeout_ticks) {
    uint32_t value = timeout_ticks;
    const enum bulkhead_result result = bulkhead_exchange_1(pool, BULKHEAD_POOL_ALLOCATE, &value);
    *block = result == BULKHEAD_OK ? (void *)value : NULL;
    return result;
}

// REFUSED if it is no block of the pool, or a free one. The first waiter gets it.
BULKHEAD_INLINE enum bulkhead_result bulkhead_kernel_pool_free(uint32_t pool, void *block) {
    return bulkhead_call_1(pool, BULKHEAD_POOL_FREE, (uint32_t)block);
}

// --- Timers --------------------------------------------------------------------------------------
// What a timer does when it is due is declared: it posts, resumes, notifies or sets flags. It does
// so at the priority of the highest thread that can wait for that: while higher threads leave no
// time, the timer is late.
//
// A periodic timer that is late by periods acts once for all of them, and is due again at its next
// release that is still to come: releases stay at multiples of the period. The kernel does not
// count the periods that were skipped; a thread that needs their number compares bh_ticks with the
// tick of its last release.

// Due in `first_ticks`, at least 1; then every `period_ticks`, unless that is 0. A timer that runs
// already starts again. REFUSED: 0 or no such time.
BULKHEAD_INLINE enum bulkhead_result bulkhead_timer_start(uint32_t timer, uint32_t first_ticks,
                                                          uint32_t period_ticks) {
    return bulkhead_call_2(timer, BULKHEAD_TIMER_START, first_ticks, period_ticks);
}

BULKHEAD_INLINE enum bulkhead_result bulkhead_timer_stop(uint32_t timer) {
    return bulkhead_call(timer, BULKHEAD_TIMER_STOP);
}

// --- Interrupts ----------------------------------------------------------------------------------

// Requests an interrupt, as its device would. It is served as soon as the processor has taken note
// of it: commonly before this returns.
BULKHEAD_INLINE enum bulkhead_result bulkhead_interrupt_pend(uint32_t interrupt) {
    return bulkhead_call(interrupt, BULKHEAD_INTERRUPT_PEND);
}

// --- Interrupts in a driver ----------------------------------------------------------------------
// A line that is delivered to a thread of the process. Its interrupt masks it and notifies the
// thread; from the kernel's start until it is acknowledged for the first time it is masked as well.
// A restart of the driver masks nothing: it begins by stopping its device.

// Lets the line interrupt again.
BULKHEAD_INLINE enum bulkhead_result bulkhead_interrupt_acknowledge(uint32_t interrupt) {
    return bulkhead_call(interrupt, BULKHEAD_INTERRUPT_ACKNOWLEDGE);
}

// The same, and waits for the caller's next notification, as bulkhead_notification_wait.
BULKHEAD_INLINE enum bulkhead_result bulkhead_interrupt_wait(uint32_t interrupt,
                                                             uint32_t timeout_ticks) {
    return bulkhead_call_1(interrupt, BULKHEAD_INTERRUPT_WAIT, timeout_ticks);
}

// --- For user/queue.c ----------------------------------------------------------------------------
// Waits until a process's own queue has room or messages.

enum { BULKHEAD_QUEUE_SENDS, BULKHEAD_QUEUE_RECEIVES };

BULKHEAD_INLINE enum bulkhead_result bulkhead_queue_await(uint32_t queue, uint32_t side,
                                                          uint32_t timeout_ticks) {
    return bulkhead_call_2(queue, BULKHEAD_LOCAL_QUEUE_AWAIT, side, timeout_ticks);
}

#endif
