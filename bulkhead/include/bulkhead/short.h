// SPDX-License-Identifier: MIT
//
// Short names for applications. A service has one name, both for an object of the kernel, which a
// handle names, and for an object of the process, which its address names (local.h).
//
//     bh_semaphore_take(SEMAPHORE_READY, 10);           // a system call
//     bh_semaphore_take(LOCAL_SEMAPHORE_READY, 10);     // a local one: none while there is a count
//
// Times are ticks below 2^31, BH_NO_WAIT or BH_FOREVER; a longer time counts as BH_FOREVER. The
// results are those of result.h: OK; TIMED_OUT if the time has passed; DENIED without the right, or
// for memory that the caller has no right to. The comment of a call lists its other results.
//
// Only threads make calls; an application has no interrupt handlers. Each heading names the right
// that its calls need: the process is one of the object's `users`, or the declaration names the
// thread in its `controls` or `notifies`, or the interrupt in its `pends`. `any` needs no right.
//
// The comment of a call also gives its cost in the kernel, during which no interrupt is served:
//   none      no system call, for a local object while no thread waits or has to wait
//   constant  a number of instructions that does not depend on the declaration
//   levels    one step more for each higher priority at which threads wait, at most 31
//   timers    levels, and log2 of the number of declared threads and timers, if the call, or the
//             wait that it ends, has a timeout
//   chain     levels and timers, for each thread along a chain of locks and calls; and one step for
//             each contended mutex that it holds
//   waiters   stops for interrupts after four waiters, or one that it wakes; while such a stopped
//             set is under way, each call for the same flags
//   pieces    stops for interrupts after each caller that is woken and each declared mutex
// A call to a server that has ended, or the start of a thread, also completes the termination of
// its process if that is under way.
#ifndef BULKHEAD_SHORT_H
#define BULKHEAD_SHORT_H

#include <bulkhead/bulkhead.h>
#include <bulkhead/fault.h>
#include <bulkhead/local.h>

#define BH_NO_WAIT BULKHEAD_NO_WAIT
#define BH_FOREVER BULKHEAD_FOREVER

// Chooses `local` for the address of a local object and `shared` for a handle.
#define BH_CHOOSE(object, type, local, shared) _Generic((object), type *: local, default: shared)

// --- The calling thread: any ---------------------------------------------------------------------

#define bh_yield bulkhead_yield             // constant
#define bh_exit bulkhead_exit               // chain, pieces; does not return
#define bh_delay bulkhead_delay             // (ticks). timers
#define bh_delay_until bulkhead_delay_until // (tick). timers; TIMED_OUT: it has passed
#define bh_period_wait bulkhead_period_wait // (&struct bulkhead_period). timers; TIMED_OUT: late
#define bh_wait bulkhead_notification_wait  // (ticks): for a notification. constant, or timers

static inline uint32_t bh_ticks(void) { // since the kernel started; wraps. none
    return bulkhead_page.ticks;
}

// --- Other threads: `controls`; to notify, `notifies` --------------------------------------------

#define bh_notify bulkhead_notify // (thread). constant; timers if it waits with one
// (thread). constant; for a sender or receiver that was just woken, one step more for each
// suspended thread in its queue. REFUSED: not started, or ended.
#define bh_suspend bulkhead_suspend
#define bh_resume bulkhead_resume // (thread). constant; REFUSED: was not suspended
// (thread). constant, or chain and waiters if it is REFUSED: it is started, or it or its process is
// being terminated.
#define bh_start bulkhead_start_thread
// (thread, 0 to 31). chain; REFUSED: no such priority, above the process's ceiling, or the thread
// is not started or has ended.
#define bh_set_priority bulkhead_set_priority
// (thread, ticks). timers; REFUSED: itself, or another thread joins it; PEER_LOST: its process is
// terminated meanwhile.
#define bh_join bulkhead_join

// --- Semaphores: `users` -------------------------------------------------------------------------

// (semaphore, ticks). none or constant; levels and timers if it waits.
#define bh_semaphore_take(semaphore, ticks)                                        \
    BH_CHOOSE(semaphore, struct bulkhead_semaphore, bulkhead_local_semaphore_take, \
              bulkhead_semaphore_take)                                             \
    ((semaphore), (ticks))

// (semaphore). none or constant; timers if it wakes a thread. REFUSED: at its maximum.
#define bh_semaphore_give(semaphore)                                               \
    BH_CHOOSE(semaphore, struct bulkhead_semaphore, bulkhead_local_semaphore_give, \
              bulkhead_semaphore_give)                                             \
    (semaphore)

// --- Mutexes: `users` ----------------------------------------------------------------------------

// (mutex, ticks). none or constant; chain if it waits. REFUSED: the caller holds it. PEER_LOST:
// acquired, but its holder ended while it held the mutex and the caller waited.
#define bh_mutex_lock(mutex, ticks)                                                         \
    BH_CHOOSE(mutex, struct bulkhead_mutex, bulkhead_local_mutex_lock, bulkhead_mutex_lock) \
    ((mutex), (ticks))

// (mutex). none or constant; chain if another thread waits. REFUSED: the caller does not hold it.
#define bh_mutex_unlock(mutex)                                                                  \
    BH_CHOOSE(mutex, struct bulkhead_mutex, bulkhead_local_mutex_unlock, bulkhead_mutex_unlock) \
    (mutex)

// --- Queues: `users` -----------------------------------------------------------------------------
// The call copies the message: the declared size, from or to an address that is a multiple of 4.

// (queue, &message, ticks). none, or constant for a size; levels and timers if it waits or wakes a
// thread.
#define bh_send(queue, message, ticks)                                                       \
    BH_CHOOSE(queue, struct bulkhead_queue, bulkhead_queue_send, bulkhead_kernel_queue_send) \
    ((queue), (message), (ticks))
#define bh_receive(queue, message, ticks)                                                          \
    BH_CHOOSE(queue, struct bulkhead_queue, bulkhead_queue_receive, bulkhead_kernel_queue_receive) \
    ((queue), (message), (ticks))

// --- Event flags: `users`. Bits 0 to 30 ----------------------------------------------------------

#define BH_OF_FLAGS(flags, service)                                         \
    BH_CHOOSE(flags, struct bulkhead_flags, bulkhead_local_flags_##service, \
              bulkhead_flags_##service)

// (flags, bits). none, or constant while no thread waits; waiters otherwise.
#define bh_flags_set(flags, bits) BH_OF_FLAGS(flags, set)((flags), (bits))
// (flags, bits). none or constant; waiters while a set is under way.
#define bh_flags_clear(flags, bits) BH_OF_FLAGS(flags, clear)((flags), (bits))

// (flags, &bits, ticks). Waits until any or all of `bits` are set; `bits` then has all flags that
// are set. `take` clears the flags that it waited for. none or constant; levels and timers if it
// waits; waiters while a set is under way.
#define bh_flags_wait_any(flags, bits, ticks) BH_OF_FLAGS(flags, wait_any)((flags), (bits), (ticks))
#define bh_flags_wait_all(flags, bits, ticks) BH_OF_FLAGS(flags, wait_all)((flags), (bits), (ticks))
#define bh_flags_take_any(flags, bits, ticks) BH_OF_FLAGS(flags, take_any)((flags), (bits), (ticks))
#define bh_flags_take_all(flags, bits, ticks) BH_OF_FLAGS(flags, take_all)((flags), (bits), (ticks))

// --- Calls into another process: `users` or the server's own; to receive, the gate's server ------

// (gate, words[4], ticks). constant for an idle server; chain. PEER_LOST: the server has ended.
// REFUSED: to itself.
#define bh_call bulkhead_gate_call
// (gate, words[4], &caller, ticks). constant; chain. REFUSED: serves no gate.
#define bh_serve bulkhead_gate_receive

// --- Pools: `users` ------------------------------------------------------------------------------

// (pool, &block, ticks). For a local pool: none; does not wait, but returns TIMED_OUT at once. For
// a pool of the kernel: constant; levels and timers if it waits.
#define bh_pool_allocate(pool, block, ticks)                                                     \
    BH_CHOOSE(pool, struct bulkhead_pool, bh_local_pool_allocate, bulkhead_kernel_pool_allocate) \
    ((pool), (block), (ticks))
static inline enum bulkhead_result bh_local_pool_allocate(struct bulkhead_pool *pool, void **block,
                                                          uint32_t timeout_ticks) {
    (void)timeout_ticks;
    *block = bulkhead_pool_allocate(pool);
    return *block == NULL ? BULKHEAD_TIMED_OUT : BULKHEAD_OK;
}

// (pool, block). none or constant; timers if it wakes a thread. REFUSED: not an allocated block.
#define bh_pool_free(pool, block)                                                        \
    BH_CHOOSE(pool, struct bulkhead_pool, bulkhead_pool_free, bulkhead_kernel_pool_free) \
    ((pool), (block))

// --- Timers: `users` -----------------------------------------------------------------------------

// (timer, first ticks, period ticks or 0). timers. REFUSED: no such time.
#define bh_timer_start bulkhead_timer_start
#define bh_timer_stop bulkhead_timer_stop // (timer). timers

// --- Interrupts: `pends`; of a driver, its process -----------------------------------------------

#define bh_interrupt_pend bulkhead_interrupt_pend               // (interrupt). constant
#define bh_interrupt_wait bulkhead_interrupt_wait               // (interrupt, ticks). as bh_wait
#define bh_interrupt_acknowledge bulkhead_interrupt_acknowledge // (interrupt). constant

// --- Faults: the `supervisor` --------------------------------------------------------------------

#define bh_fault_read bulkhead_fault_read // (process, &report). constant; REFUSED: none yet

#endif
