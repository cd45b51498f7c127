// SPDX-License-Identifier: MIT
//
// What a thread may ask of the kernel. Every function here is one system call, except where its
// comment says that it makes none.
//
// Handles are numbers from the declaration; each process has a right to some. A call without the
// right, or of a method that the right does not have, does nothing and returns BULKHEAD_DENIED.
// Times are ticks. A call that takes a timeout does not wait with BULKHEAD_NO_WAIT and waits for
// ever with BULKHEAD_FOREVER.
//
// For objects that one process alone uses there is bulkhead/local.h: the same services without a
// call.
#ifndef BULKHEAD_BULKHEAD_H
#define BULKHEAD_BULKHEAD_H

#include <bulkhead/methods.h>
#include <bulkhead/result.h>
#include <bulkhead/svc.h>
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
// Rights: `controls`.

// Enters the kernel and returns.
BULKHEAD_INLINE enum bulkhead_result bulkhead_null_call(void) {
    return bulkhead_call(BULKHEAD_SELF, BULKHEAD_SELF_NULL);
}

// Goes behind the ready threads of the same priority.
BULKHEAD_INLINE enum bulkhead_result bulkhead_yield(void) {
    return bulkhead_call(BULKHEAD_SELF, BULKHEAD_SELF_YIELD);
}

// Makes a suspended thread ready, if it does not wait as well. REFUSED if it is not suspended.
BULKHEAD_INLINE enum bulkhead_result bulkhead_resume(uint32_t thread) {
    return bulkhead_call(thread, BULKHEAD_THREAD_RESUME);
}

// Stops a thread, the caller itself included, until it is resumed. Does not nest.
BULKHEAD_INLINE enum bulkhead_result bulkhead_suspend(uint32_t thread) {
    return bulkhead_call(thread, BULKHEAD_THREAD_SUSPEND);
}

// Brings a thread to life that was not started, or has ended.
BULKHEAD_INLINE enum bulkhead_result bulkhead_start_thread(uint32_t thread) {
    return bulkhead_call(thread, BULKHEAD_THREAD_START);
}

// Sleeps for so many tick interrupts.
BULKHEAD_INLINE enum bulkhead_result bulkhead_delay(uint32_t ticks) {
    return bulkhead_call_1(BULKHEAD_SELF, BULKHEAD_SELF_DELAY, ticks);
}

// Changes the priority, 0 (highest) to 31, that a thread has when it inherits none.
BULKHEAD_INLINE enum bulkhead_result bulkhead_set_priority(uint32_t thread, uint32_t priority) {
    return bulkhead_call_1(thread, BULKHEAD_THREAD_SET_PRIORITY, priority);
}

// Ends the calling thread.
BULKHEAD_INLINE _Noreturn void bulkhead_exit(void) {
    for (;;) {
        bulkhead_call(BULKHEAD_SELF, BULKHEAD_SELF_EXIT);
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
// holder ended.

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

// --- Interrupts ----------------------------------------------------------------------------------

// Requests an interrupt, as its device would. It has been served when this returns.
BULKHEAD_INLINE enum bulkhead_result bulkhead_interrupt_pend(uint32_t interrupt) {
    return bulkhead_call(interrupt, BULKHEAD_INTERRUPT_PEND);
}

// --- For user/queue.c ----------------------------------------------------------------------------
// Waits until a process's own queue has room or messages.

enum { BULKHEAD_QUEUE_SENDS, BULKHEAD_QUEUE_RECEIVES };

BULKHEAD_INLINE enum bulkhead_result bulkhead_queue_await(uint32_t queue, uint32_t side,
                                                          uint32_t timeout_ticks) {
    return bulkhead_call_2(queue, BULKHEAD_LOCAL_QUEUE_AWAIT, side, timeout_ticks);
}

#endif
