// SPDX-License-Identifier: MIT
//
// The system calls, which bulkhead.h includes. A comment names the results other than OK in
// capitals: "REFUSED if ..." says when the call returns BULKHEAD_REFUSED. Written from core/calls
// by tools/calls.py.
#ifndef BULKHEAD_CALLS_H
#define BULKHEAD_CALLS_H

struct bulkhead_fault;        // fault.h
struct bulkhead_record_entry; // record.h

// --- The calling thread --------------------------------------------------------------------------
// A thread needs no right to itself.

// Enters the kernel and returns: the cost of a system call alone.
BULKHEAD_INLINE void bulkhead_null_call(void) {
    bulkhead_call_self(BULKHEAD_SELF_NULL);
}

// Lets the other ready threads of the same priority run first.
BULKHEAD_INLINE void bulkhead_yield(void) {
    bulkhead_call_self(BULKHEAD_SELF_YIELD);
}

// Ends the calling thread. Does not return.
BULKHEAD_INLINE _Noreturn void bulkhead_exit(void) {
    for (;;) {
        bulkhead_call_self(BULKHEAD_SELF_EXIT);
    }
}

// Sleeps until `ticks` more ticks have come. Returns at once for 0.
BULKHEAD_INLINE enum bulkhead_result bulkhead_delay(uint32_t ticks) {
    return bulkhead_call_1(BULKHEAD_SELF, BULKHEAD_SELF_DELAY, ticks);
}

// Waits until the caller's counter of notifications is not 0, and subtracts one. TIMED_OUT if none
// came in time.
BULKHEAD_MUST_USE BULKHEAD_INLINE enum bulkhead_result
bulkhead_notification_wait(uint32_t timeout_ticks) {
    return bulkhead_call_1(BULKHEAD_SELF, BULKHEAD_SELF_NOTIFICATION_WAIT, timeout_ticks);
}

// Sleeps until tick `tick`. TIMED_OUT, without a wait, if that tick has passed.
BULKHEAD_MUST_USE BULKHEAD_INLINE enum bulkhead_result bulkhead_delay_until(uint32_t tick) {
    return bulkhead_call_1(BULKHEAD_SELF, BULKHEAD_SELF_DELAY_UNTIL, tick);
}

// --- Other threads -------------------------------------------------------------------------------
// `controls` names the threads that a process may control, `notifies` those that it may notify.
// Each thread has a counter of notifications.

// Wakes the thread if it waits for a notification; otherwise adds one to its counter.
BULKHEAD_INLINE enum bulkhead_result bulkhead_notify(uint32_t thread) {
    return bulkhead_call(thread, BULKHEAD_THREAD_NOTIFY);
}

// Ends the suspension of a thread, which becomes ready unless it also waits for an object. REFUSED
// if it is not suspended.
BULKHEAD_INLINE enum bulkhead_result bulkhead_resume(uint32_t thread) {
    return bulkhead_call(thread, BULKHEAD_THREAD_RESUME);
}

// Suspends a thread, which may be the caller, until it is resumed. Suspensions do not nest.
// REFUSED if the thread is not started or has ended.
BULKHEAD_INLINE enum bulkhead_result bulkhead_suspend(uint32_t thread) {
    return bulkhead_call(thread, BULKHEAD_THREAD_SUSPEND);
}

// Starts a thread that was not started or has ended. REFUSED if the thread is started, or if its
// exit is not complete: wait for that with bulkhead_join, because a loop of attempts at a higher
// priority keeps the exit from completing. While the process of the thread is being terminated,
// the call first completes the termination, at the caller's priority, and then returns REFUSED.
// The memory of a process that was terminated stays as it was. REFUSED for a process with an
// `escalation` that has ended: only its supervisor starts it again.
BULKHEAD_INLINE enum bulkhead_result bulkhead_start_thread(uint32_t thread) {
    return bulkhead_call(thread, BULKHEAD_THREAD_START);
}

// Sets the base priority of a thread: 0 (highest) to 31. A priority that it inherits stays.
// REFUSED for another number, for a priority above the `ceiling` of the caller's process, or if
// the thread is not started or has ended. If no ceiling is declared, it is the highest declared
// priority of the threads that the process controls.
BULKHEAD_INLINE enum bulkhead_result bulkhead_set_priority(uint32_t thread, uint32_t priority) {
    return bulkhead_call_1(thread, BULKHEAD_THREAD_SET_PRIORITY, priority);
}

// Waits until a thread has ended. OK also if it is not started. PEER_LOST if its process is
// terminated while the caller waits. REFUSED if another thread already waits for it, and for the
// caller itself.
BULKHEAD_MUST_USE BULKHEAD_INLINE enum bulkhead_result bulkhead_join(uint32_t thread,
                                                                     uint32_t timeout_ticks) {
    return bulkhead_call_1(thread, BULKHEAD_THREAD_JOIN, timeout_ticks);
}

// --- Semaphores ----------------------------------------------------------------------------------
// A semaphore wakes its waiters in order of priority, and in order of arrival among equals. So do
// all objects below. A process in `givers` may only give it, one in `takers` only take it.

BULKHEAD_MUST_USE BULKHEAD_INLINE enum bulkhead_result
bulkhead_kernel_semaphore_take(uint32_t semaphore, uint32_t timeout_ticks) {
    return bulkhead_call_1(semaphore, BULKHEAD_SEMAPHORE_TAKE, timeout_ticks);
}

// Waits until the count is not 0, and subtracts one. TIMED_OUT if that did not happen in time.
#define bulkhead_semaphore_take(semaphore, timeout_ticks)                                \
    BULKHEAD_CHOOSE(semaphore, struct bulkhead_semaphore, bulkhead_local_semaphore_take, \
                    bulkhead_kernel_semaphore_take)                                      \
    ((semaphore), (timeout_ticks))

BULKHEAD_INLINE enum bulkhead_result bulkhead_kernel_semaphore_give(uint32_t semaphore) {
    return bulkhead_call(semaphore, BULKHEAD_SEMAPHORE_GIVE);
}

// Wakes the first waiter, or adds one to the count. REFUSED if the count is at its maximum.
#define bulkhead_semaphore_give(semaphore)                                               \
    BULKHEAD_CHOOSE(semaphore, struct bulkhead_semaphore, bulkhead_local_semaphore_give, \
                    bulkhead_kernel_semaphore_give)                                      \
    ((semaphore))

// --- Mutexes -------------------------------------------------------------------------------------
// A mutex has one holder, which inherits the priority of the highest waiter.

BULKHEAD_MUST_USE BULKHEAD_INLINE enum bulkhead_result
bulkhead_kernel_mutex_lock(uint32_t mutex, uint32_t timeout_ticks) {
    return bulkhead_call_1(mutex, BULKHEAD_MUTEX_LOCK, timeout_ticks);
}

// Acquires the mutex. PEER_LOST: the caller has acquired it, but the former holder ended while it
// held it. Only the thread that waited first gets PEER_LOST; if no thread waited, no thread gets
// it. REFUSED to the holder itself: a mutex is not recursive. TIMED_OUT if it was not free in
// time.
#define bulkhead_mutex_lock(mutex, timeout_ticks)                            \
    BULKHEAD_CHOOSE(mutex, struct bulkhead_mutex, bulkhead_local_mutex_lock, \
                    bulkhead_kernel_mutex_lock)                              \
    ((mutex), (timeout_ticks))

BULKHEAD_INLINE enum bulkhead_result bulkhead_kernel_mutex_unlock(uint32_t mutex) {
    return bulkhead_call(mutex, BULKHEAD_MUTEX_UNLOCK);
}

// Releases the mutex; the first waiter acquires it. REFUSED unless the caller holds it.
#define bulkhead_mutex_unlock(mutex)                                           \
    BULKHEAD_CHOOSE(mutex, struct bulkhead_mutex, bulkhead_local_mutex_unlock, \
                    bulkhead_kernel_mutex_unlock)                              \
    ((mutex))

// --- Queues --------------------------------------------------------------------------------------
// The call copies each message, of the declared size. The kernel copies with the rights of the
// caller to its own memory: DENIED if these rights do not cover the whole message, or if its
// address is not a multiple of 4. A process in `senders` may only send, one in `receivers` only
// receive.

BULKHEAD_MUST_USE BULKHEAD_INLINE enum bulkhead_result
bulkhead_kernel_queue_send(uint32_t queue, const void *message, uint32_t timeout_ticks) {
    return bulkhead_call_2(queue, BULKHEAD_QUEUE_SEND, (uint32_t)message, timeout_ticks);
}

// Appends a copy of `*message`. Waits while the queue is full. TIMED_OUT if it stayed full.
#define bulkhead_queue_send(queue, message, timeout_ticks)                   \
    BULKHEAD_CHOOSE(queue, struct bulkhead_queue, bulkhead_local_queue_send, \
                    bulkhead_kernel_queue_send)                              \
    ((queue), (message), (timeout_ticks))

BULKHEAD_MUST_USE BULKHEAD_INLINE enum bulkhead_result
bulkhead_kernel_queue_receive(uint32_t queue, void *message, uint32_t timeout_ticks) {
    return bulkhead_call_2(queue, BULKHEAD_QUEUE_RECEIVE, (uint32_t)message, timeout_ticks);
}

// Removes the oldest message and copies it to `*message`. Waits while the queue is empty.
// TIMED_OUT if it stayed empty.
#define bulkhead_queue_receive(queue, message, timeout_ticks)                   \
    BULKHEAD_CHOOSE(queue, struct bulkhead_queue, bulkhead_local_queue_receive, \
                    bulkhead_kernel_queue_receive)                              \
    ((queue), (message), (timeout_ticks))

// --- Waiting for a queue of one process ----------------------------------------------------------
// Only user/queue.c and sequences.S make these calls.

// Waits until the queue has room (BULKHEAD_QUEUE_SENDS) or a message (BULKHEAD_QUEUE_RECEIVES).
BULKHEAD_MUST_USE BULKHEAD_INLINE enum bulkhead_result
bulkhead_local_queue_await(uint32_t local_queue, uint32_t side, uint32_t timeout_ticks) {
    return bulkhead_call_2(local_queue, BULKHEAD_LOCAL_QUEUE_AWAIT, side, timeout_ticks);
}

// Wakes the first waiting sender if the queue has room, and the first waiting receiver if it has a
// message.
BULKHEAD_INLINE enum bulkhead_result bulkhead_local_queue_wake(uint32_t local_queue) {
    return bulkhead_call(local_queue, BULKHEAD_LOCAL_QUEUE_WAKE);
}

// --- Event flags ---------------------------------------------------------------------------------
// An object has 31 flags, bits 0 to 30. A thread waits until any, or all, of the flags in `*bits`
// are set; `*bits` then has all flags that were set at that time. The two `take` calls clear the
// flags that they waited for. TIMED_OUT if the condition did not hold in time. A process in
// `setters` may only set them, one in `waiters` makes all other calls.

BULKHEAD_INLINE enum bulkhead_result bulkhead_kernel_flags_set(uint32_t flags, uint32_t bits) {
    return bulkhead_call_1(flags, BULKHEAD_FLAGS_SET, bits);
}

// Sets flags and wakes every thread whose condition holds then. The time is linear in the number
// of waiters, but interrupts are served meanwhile.
#define bulkhead_flags_set(flags, bits)                                     \
    BULKHEAD_CHOOSE(flags, struct bulkhead_flags, bulkhead_local_flags_set, \
                    bulkhead_kernel_flags_set)                              \
    ((flags), (bits))

BULKHEAD_INLINE enum bulkhead_result bulkhead_kernel_flags_clear(uint32_t flags, uint32_t bits) {
    return bulkhead_call_1(flags, BULKHEAD_FLAGS_CLEAR, bits);
}

// Clears flags.
#define bulkhead_flags_clear(flags, bits)                                     \
    BULKHEAD_CHOOSE(flags, struct bulkhead_flags, bulkhead_local_flags_clear, \
                    bulkhead_kernel_flags_clear)                              \
    ((flags), (bits))

BULKHEAD_MUST_USE BULKHEAD_INLINE enum bulkhead_result
bulkhead_kernel_flags_wait_any(uint32_t flags, uint32_t *bits, uint32_t timeout_ticks) {
    return bulkhead_exchange_2(flags, BULKHEAD_FLAGS_WAIT_ANY, bits, timeout_ticks);
}

// Waits for any of the flags.
#define bulkhead_flags_wait_any(flags, bits, timeout_ticks)                      \
    BULKHEAD_CHOOSE(flags, struct bulkhead_flags, bulkhead_local_flags_wait_any, \
                    bulkhead_kernel_flags_wait_any)                              \
    ((flags), (bits), (timeout_ticks))

BULKHEAD_MUST_USE BULKHEAD_INLINE enum bulkhead_result
bulkhead_kernel_flags_wait_all(uint32_t flags, uint32_t *bits, uint32_t timeout_ticks) {
    return bulkhead_exchange_2(flags, BULKHEAD_FLAGS_WAIT_ALL, bits, timeout_ticks);
}

// Waits for all of the flags.
#define bulkhead_flags_wait_all(flags, bits, timeout_ticks)                      \
    BULKHEAD_CHOOSE(flags, struct bulkhead_flags, bulkhead_local_flags_wait_all, \
                    bulkhead_kernel_flags_wait_all)                              \
    ((flags), (bits), (timeout_ticks))

BULKHEAD_MUST_USE BULKHEAD_INLINE enum bulkhead_result
bulkhead_kernel_flags_take_any(uint32_t flags, uint32_t *bits, uint32_t timeout_ticks) {
    return bulkhead_exchange_2(flags, BULKHEAD_FLAGS_TAKE_ANY, bits, timeout_ticks);
}

// Waits for any of the flags, and clears those that it waited for.
#define bulkhead_flags_take_any(flags, bits, timeout_ticks)                      \
    BULKHEAD_CHOOSE(flags, struct bulkhead_flags, bulkhead_local_flags_take_any, \
                    bulkhead_kernel_flags_take_any)                              \
    ((flags), (bits), (timeout_ticks))

BULKHEAD_MUST_USE BULKHEAD_INLINE enum bulkhead_result
bulkhead_kernel_flags_take_all(uint32_t flags, uint32_t *bits, uint32_t timeout_ticks) {
    return bulkhead_exchange_2(flags, BULKHEAD_FLAGS_TAKE_ALL, bits, timeout_ticks);
}

// Waits for all of the flags, and clears them.
#define bulkhead_flags_take_all(flags, bits, timeout_ticks)                      \
    BULKHEAD_CHOOSE(flags, struct bulkhead_flags, bulkhead_local_flags_take_all, \
                    bulkhead_kernel_flags_take_all)                              \
    ((flags), (bits), (timeout_ticks))

// --- Calls into another process ------------------------------------------------------------------
// One thread serves a gate, at the priority of its client. Four words go with a call, and four
// come back with the answer.

// Calls the server and waits for its answer, which replaces `words`. TIMED_OUT: there was no
// answer in time; the server may still work on the call. With NO_WAIT the call is TIMED_OUT only
// if the server is busy; otherwise it waits for the answer. PEER_LOST: the server has ended, or
// ends before it answers. If the server's process is still being terminated, the call first
// completes the termination, at the caller's priority and whatever the timeout, and then returns
// PEER_LOST: a second call finds the server that was restarted. REFUSED if the caller is the
// server.
BULKHEAD_MUST_USE BULKHEAD_INLINE enum bulkhead_result
bulkhead_gate_call(uint32_t gate, uint32_t words[4], uint32_t timeout_ticks) {
    if (timeout_ticks == BULKHEAD_FOREVER) {
        return bulkhead_exchange_words(gate, BULKHEAD_GATE_CALL, words, &timeout_ticks);
    }
    return bulkhead_exchange_words_1(gate, BULKHEAD_GATE_CALL_TIMED, words, &timeout_ticks);
}

// Answers the call that the server serves, if any, with `words`, and waits for the next call. Its
// words replace `words`, and the identity of its caller is in `*caller`. A thread serves at most
// one gate, so `gate` only proves the right. TIMED_OUT: the answer is given, but no call came in
// time. REFUSED if the caller serves no gate.
BULKHEAD_MUST_USE BULKHEAD_INLINE enum bulkhead_result
bulkhead_gate_receive(uint32_t gate, uint32_t words[4], uint32_t *caller, uint32_t timeout_ticks) {
    if (timeout_ticks == BULKHEAD_FOREVER) {
        return bulkhead_exchange_words(gate, BULKHEAD_GATE_RECEIVE, words, caller);
    }
    *caller = timeout_ticks;
    return bulkhead_exchange_words_1(gate, BULKHEAD_GATE_RECEIVE_TIMED, words, caller);
}

// Makes a call as bulkhead_gate_call does, and lends `bytes` bytes of the caller's memory at
// `lent` until the call returns. `access` says what the server may do there: BULKHEAD_LEND_READ,
// BULKHEAD_LEND_WRITE, or both. `words[2]` and `words[3]` become the address and the number of
// bytes. The server may rely on them once a copy has succeeded; before that, the client may have
// set them in a call that lends nothing. DENIED if the caller itself does not have that access to
// all of the memory, within one region, its stack, or code. No process lends registers of a
// device.
BULKHEAD_MUST_USE BULKHEAD_INLINE enum bulkhead_result
bulkhead_gate_call_lending(uint32_t gate, uint32_t words[4], const void *lent, uint32_t bytes,
                           uint32_t access, uint32_t timeout_ticks) {
    words[2] = (uint32_t)lent;
    words[3] = bytes;
    return bulkhead_exchange_words_2(gate, BULKHEAD_GATE_CALL_LENDING, words, &timeout_ticks,
                                     access);
}

// Copies from the memory that the client of the caller lends, `offset` bytes after its beginning,
// to memory of the caller. Any address and any length will do. Interrupts and threads of a higher
// priority run meanwhile. DENIED if the client does not lend all of these bytes for reading, if
// the caller may not write to `to`, or if the bus refuses an access, for example to memory that is
// not fitted: a part may have been copied then. PEER_LOST if no client waits for an answer, for
// example because its call has timed out: a part may have been copied. REFUSED if the two ranges
// overlap, or if the caller serves no gate.
BULKHEAD_MUST_USE BULKHEAD_INLINE enum bulkhead_result
bulkhead_lease_read(uint32_t gate, uint32_t offset, void *to, uint32_t bytes) {
    uint32_t words[4] = {offset, (uint32_t)to, bytes, 0}, unused;
    return bulkhead_exchange_words(gate, BULKHEAD_GATE_LEASE_READ, words, &unused);
}

// Copies in the other direction: from memory of the caller to the memory that its client lends for
// writing. The results are those of bulkhead_lease_read.
BULKHEAD_MUST_USE BULKHEAD_INLINE enum bulkhead_result
bulkhead_lease_write(uint32_t gate, uint32_t offset, const void *from, uint32_t bytes) {
    uint32_t words[4] = {offset, (uint32_t)from, bytes, 0}, unused;
    return bulkhead_exchange_words(gate, BULKHEAD_GATE_LEASE_WRITE, words, &unused);
}

// --- Pools of blocks -----------------------------------------------------------------------------
// The blocks of a pool in the kernel lie in a region that their users share. A block stays
// allocated when the process that allocated it is terminated. A process in `allocators` may only
// allocate, one in `freers` only free.

BULKHEAD_MUST_USE BULKHEAD_INLINE enum bulkhead_result
bulkhead_kernel_pool_allocate(uint32_t pool, void **block, uint32_t timeout_ticks) {
    uint32_t value = timeout_ticks;
    const enum bulkhead_result result = bulkhead_exchange_1(pool, BULKHEAD_POOL_ALLOCATE, &value);
    *block = result == BULKHEAD_OK ? (void *)value : NULL;
    return result;
}

// Waits for a free block. `*block` is its address, or NULL. TIMED_OUT if no block was free in
// time, and at once if the pool belongs to one process.
#define bulkhead_pool_allocate(pool, block, timeout_ticks)                    \
    BULKHEAD_CHOOSE(pool, struct bulkhead_pool, bulkhead_local_pool_allocate, \
                    bulkhead_kernel_pool_allocate)                            \
    ((pool), (block), (timeout_ticks))

BULKHEAD_INLINE enum bulkhead_result bulkhead_kernel_pool_free(uint32_t pool, void *block) {
    return bulkhead_call_1(pool, BULKHEAD_POOL_FREE, (uint32_t)block);
}

// Frees a block; the first waiter gets it. REFUSED for an address that is not an allocated block;
// a pool of one process refuses only addresses outside the pool.
#define bulkhead_pool_free(pool, block)                                   \
    BULKHEAD_CHOOSE(pool, struct bulkhead_pool, bulkhead_local_pool_free, \
                    bulkhead_kernel_pool_free)                            \
    ((pool), (block))

// --- Timers --------------------------------------------------------------------------------------
// The declaration says what a timer does when it is due: it gives a semaphore, resumes or notifies
// a thread, or sets flags. It acts at the priority of the highest thread that can wait for this
// action: the timer is late while higher threads leave no time. A periodic timer that is late by
// periods acts once for all of them, and is due again at its next release that is still to come:
// releases stay at multiples of the period. The kernel does not count the periods that were
// skipped; a thread that needs their number compares bulkhead_page.ticks with the tick of its last
// release.

// Starts a timer, or starts it again if it runs. It is due in `first_ticks`, at least 1, and then
// every `period_ticks`, or once if that is 0. REFUSED if `first_ticks` is 0, or if a time is 2^31
// ticks or more.
BULKHEAD_INLINE enum bulkhead_result bulkhead_timer_start(uint32_t timer, uint32_t first_ticks,
                                                          uint32_t period_ticks) {
    return bulkhead_call_2(timer, BULKHEAD_TIMER_START, first_ticks, period_ticks);
}

// Stops a timer. OK also if it does not run.
BULKHEAD_INLINE enum bulkhead_result bulkhead_timer_stop(uint32_t timer) {
    return bulkhead_call(timer, BULKHEAD_TIMER_STOP);
}

// --- Interrupts ----------------------------------------------------------------------------------
// A line that is delivered to a thread of the process (`delivers`) is masked by its interrupt,
// which notifies the thread. The line is masked from the start of the kernel until the first
// acknowledgement. A restart of the driver's process does not mask it: a driver stops its device
// first.

// Pends an interrupt, as its device would. The processor commonly takes it before this call
// returns.
BULKHEAD_INLINE enum bulkhead_result bulkhead_interrupt_pend(uint32_t interrupt) {
    return bulkhead_call(interrupt, BULKHEAD_INTERRUPT_PEND);
}

// Unmasks the line.
BULKHEAD_INLINE enum bulkhead_result bulkhead_interrupt_acknowledge(uint32_t interrupt) {
    return bulkhead_call(interrupt, BULKHEAD_INTERRUPT_ACKNOWLEDGE);
}

// Unmasks the line and waits for the next notification, as bulkhead_notification_wait does.
BULKHEAD_MUST_USE BULKHEAD_INLINE enum bulkhead_result
bulkhead_interrupt_wait(uint32_t interrupt, uint32_t timeout_ticks) {
    return bulkhead_call_1(interrupt, BULKHEAD_INTERRUPT_WAIT, timeout_ticks);
}

// --- Processes -----------------------------------------------------------------------------------
// The `supervisor` of a process is the thread that is notified of its faults. It may restart and
// end the process if the declaration gives the process a policy (`escalation`); supervise.h has a
// supervisor.

// Copies the fault report of `process` to `*fault`. DENIED if `*fault` is not memory of the
// caller. REFUSED if the process has not faulted.
BULKHEAD_MUST_USE BULKHEAD_INLINE enum bulkhead_result
bulkhead_fault_read(uint32_t process, struct bulkhead_fault *fault) {
    return bulkhead_call_1(process, BULKHEAD_PROCESS_FAULT_READ, (uint32_t)fault);
}

// Restarts a process, whether it runs, hangs, has ended or is being terminated: terminates it,
// loads its memory from the image, and starts its threads as declared. That is complete before the
// call returns, unless the caller is terminated; interrupts and threads of a higher priority run
// meanwhile. A thread of the process that faults before all are started ends the process. Also
// notifies the supervisor.
BULKHEAD_INLINE enum bulkhead_result bulkhead_process_restart(uint32_t process) {
    return bulkhead_call(process, BULKHEAD_PROCESS_RESTART);
}

// Terminates a process as bulkhead_process_restart does, but does not start it again.
BULKHEAD_INLINE enum bulkhead_result bulkhead_process_end(uint32_t process) {
    return bulkhead_call(process, BULKHEAD_PROCESS_END);
}

// OK if the process has ended and waits for its restart. REFUSED if it runs. PEER_LOST if it is
// being terminated, or has a fault that begins that.
BULKHEAD_MUST_USE BULKHEAD_INLINE enum bulkhead_result bulkhead_process_is_ended(uint32_t process) {
    return bulkhead_call(process, BULKHEAD_PROCESS_IS_ENDED);
}

// Changes the bits of `mask` in the note of a process, a word in the kernel, to those of `*bits`.
// `*bits` is then the note before the change; a mask of 0 only reads. The note is 0 when the
// kernel starts, and no restart changes it. Only supervise.c makes this call.
BULKHEAD_INLINE enum bulkhead_result bulkhead_process_note(uint32_t process, uint32_t *bits,
                                                           uint32_t mask) {
    return bulkhead_exchange_2(process, BULKHEAD_PROCESS_NOTE, bits, mask);
}

// --- The record ----------------------------------------------------------------------------------
// The record of faults, panics, watchdogs and resets survives a reset. The processes in its
// `users` read it and may reset the system.

// Copies an entry of the record to `*entry`: the last one for age 0, the one before for age 1.
// REFUSED if there is none of that age, or if its checksum is wrong. DENIED if `*entry` is not
// memory of the caller.
BULKHEAD_MUST_USE BULKHEAD_INLINE enum bulkhead_result
bulkhead_record_read(uint32_t record, uint32_t age, struct bulkhead_record_entry *entry) {
    return bulkhead_call_2(record, BULKHEAD_RECORD_READ, age, (uint32_t)entry);
}

// Records `reason` and the caller, and resets the system.
BULKHEAD_INLINE enum bulkhead_result bulkhead_record_reset(uint32_t record, uint32_t reason) {
    return bulkhead_call_1(record, BULKHEAD_RECORD_RESET, reason);
}

// --- Measures of threads -------------------------------------------------------------------------
// `measures` names the threads whose use of the stack and of the processor a process may read, and
// also lets it read those of the idle thread (`MEASURED_KERNEL_IDLE`). `stack_marks` and
// `thread_times` of the image say which of the two the kernel keeps; the other call is DENIED.

// Finds how many bytes of its stack a thread has never used since the kernel started: the words at
// its end that still have the mark. Makes one system call for each 64 bytes.
BULKHEAD_MUST_USE BULKHEAD_INLINE enum bulkhead_result
bulkhead_measured_stack_left(uint32_t measured, uint32_t *bytes) {
    uint32_t found = 0, before;
    enum bulkhead_result result;
    do {
        before = found;
        result = bulkhead_exchange_1(measured, BULKHEAD_MEASURED_STACK_LEFT, &found);
    } while (result == BULKHEAD_OK && found - before == BULKHEAD_MARKS_AT_ONCE);
    *bytes = found;
    return result;
}

// Copies to `*counts` the processor time that a thread has consumed, in counts of the tick's
// clock. DENIED if `*counts` is not memory of the caller.
BULKHEAD_MUST_USE BULKHEAD_INLINE enum bulkhead_result bulkhead_measured_time(uint32_t measured,
                                                                              uint64_t *counts) {
    return bulkhead_call_1(measured, BULKHEAD_MEASURED_TIME, (uint32_t)counts);
}

#endif
