// SPDX-License-Identifier: MIT
//
// The porting contract: everything that a scenario asks of a kernel, and everything that a kernel's
// port must provide.
//
// A port is one file, kernels/<kernel>/port.c, that defines some of the functions below.
// bench/src/unsupported.c defines the others; they report BENCH_UNSUPPORTED. `services` in
// kernel.toml names the services that the kernel has. A scenario that needs another service is not
// built for that kernel.
//
// Rules for every port
//  1. A port does none of the kernel's work. It translates arguments and results and calls one
//     service of the kernel. Its only state is the handles of the objects: it keeps no queue, list
//     or counter.
//  2. One function per service. The build inlines every service into the scenario, the same for
//     every kernel, so that a scenario calls the kernel as an application would. At an optimisation
//     level with "+called" no service is inlined (BENCH_SERVICE ensures this, also under link-time
//     optimisation), and the porting layer costs one call more, the same for every kernel.
//  3. A service that the kernel lacks is unsupported. A similar service belongs to another
//     scenario. What kernels do differently within a service is a feature of the service, here
//     SERVICE.FEATURE; kernel.toml declares the features of the kernel, and a port obeys these.
//  4. A port uses only the kernel's documented interface, in the form that its manual recommends
//     for the purpose.
//  5. A port creates the objects of `bench_scenario` before the kernel starts. No service creates
//     an object; only bench_task_create creates a task.
//  6. A port adds no check that the kernel omits, and removes none that the kernel's configuration
//     includes.
//  7. A service contains no mark, writes nothing to the console and masks no interrupt.
//
// Units: times are in ticks (10 ms unless the run chooses another period), sizes in bytes,
// priorities 1 (highest) to 31. Only tasks may call these functions, unless a comment says
// otherwise. A function that returns enum bench_status returns BENCH_OK only if the kernel reported
// success.
#ifndef BENCH_PORT_H
#define BENCH_PORT_H

#include <bench/scenario.h>
#include <stdbool.h>
#include <stdint.h>

enum bench_status {
    BENCH_OK = 0,
    BENCH_TIMED_OUT,   // not available within the timeout (with BENCH_NO_WAIT: not available now)
    BENCH_REFUSED,     // the kernel reported any other error
    BENCH_DENIED,      // the caller lacks the right (isolating kernels)
    BENCH_PEER_LOST,   // the called process, or the owner of the awaited object, was terminated
    BENCH_UNSUPPORTED, // the kernel has no such service
};

// The build defines BENCH_INLINING as `always_inline` for the port, and as nothing for the
// scenario. At a level with "+called" it defines none, and services are neither inlined nor cloned.
// The caller must check the result.
#ifndef BENCH_INLINING
#define BENCH_INLINING noinline, noclone
#endif
#define BENCH_SERVICE_VOID __attribute__((BENCH_INLINING))
#define BENCH_SERVICE BENCH_SERVICE_VOID __attribute__((warn_unused_result))

// Identifiers. Each kind of object has its own type, so that the compiler rejects a queue in place
// of a task. `index` is the row of the object in the scenario's table.
struct bench_task {
    uint32_t index;
};
struct bench_semaphore {
    uint32_t index;
};
struct bench_mutex {
    uint32_t index;
};
struct bench_flags {
    uint32_t index;
};
struct bench_queue {
    uint32_t index;
};
struct bench_pool {
    uint32_t index;
};
struct bench_gate {
    uint32_t index;
};
struct bench_interrupt {
    uint32_t index;
};
struct bench_channel {
    uint32_t index;
};
struct bench_bus {
    uint32_t index;
};
struct bench_condition {
    uint32_t index;
};
struct bench_rwlock {
    uint32_t index;
};
struct bench_timer {
    uint32_t index;
};
struct bench_message_buffer {
    uint32_t index;
};
struct bench_heap {
    uint32_t index;
};

// Timeouts, in ticks. BENCH_NO_WAIT never blocks; BENCH_FOREVER never times out. A service without
// its feature `timeout` gets no other value.
#define BENCH_NO_WAIT 0u
#define BENCH_FOREVER UINT32_MAX

// --- Start ---------------------------------------------------------------------------------------

// Creates everything in `bench_scenario`, starts the kernel and its tick, and does not return. The
// platform calls it once, on the start-up stack, with interrupts as they are after reset and with
// data initialised.
_Noreturn void bench_port_start(void);

// --- Tasks ---------------------------------------------------------------------------------------

// Service `task-create`. Creates a task that is declared BENCH_ABSENT, or one that has ended, and
// makes it ready. The new task pre-empts the caller if its priority is higher.
BENCH_SERVICE enum bench_status bench_task_create(struct bench_task task);

// Service `task-exit`. Ends the calling task. Does not return.
_Noreturn void bench_task_exit(void);

// Service `yield`. Moves the caller after the ready tasks of its own priority; the first of them
// runs.
BENCH_SERVICE_VOID void bench_task_yield(void);

// Service `suspend`. Keeps `task`, which may be the caller, from running until bench_task_resume,
// regardless of other events. A task that waits for an object keeps waiting, and does not run when
// its wait ends. Suspensions do not nest: one resume ends any number of them.
// Service `suspend-self` is the same for a `task` that is always the caller; a kernel that has
// `suspend` has it too.
BENCH_SERVICE enum bench_status bench_task_suspend(struct bench_task task);

// Service `resume`. Makes a suspended task ready. The task pre-empts the caller at once if its
// priority is higher.
BENCH_SERVICE enum bench_status bench_task_resume(struct bench_task task);

// Service `delay`. Blocks the caller for at least `ticks` tick interrupts.
BENCH_SERVICE_VOID void bench_task_delay(uint32_t ticks);

// Service `delay-periodic`. Blocks the caller until tick `*wake` + `period` and stores that tick in
// `*wake`. Before the first call the caller sets `*wake` from bench_ticks().
BENCH_SERVICE_VOID void bench_task_delay_until(uint32_t *wake, uint32_t period);

// Service `priority`. Sets the base priority (1 … 31) of `task`; the ready task with the highest
// priority then runs at once.
BENCH_SERVICE enum bench_status bench_task_set_priority(struct bench_task task, uint32_t priority);

// Returns the declared index of the calling task, for tasks that share an entry function. Every
// port has it. It may be slow: scenarios call it once, before they measure.
struct bench_task bench_task_self(void);

// Returns the number of ticks since the kernel started, modulo 2^32. Every port with a tick has it.
uint32_t bench_ticks(void);

// --- Semaphores: service `semaphore` -------------------------------------------------------------

// Takes one count; blocks for up to `timeout_ticks` while there is none, then returns
// BENCH_TIMED_OUT. `semaphore.order` is the order in which waiters are served: `priority` (FIFO
// among equals) or `fifo`. `mutex.order` and `queue.order` are the same for their objects.
BENCH_SERVICE enum bench_status bench_semaphore_take(struct bench_semaphore semaphore,
                                                     uint32_t timeout_ticks);

// Adds one count, or wakes one waiter, which pre-empts the caller if its priority is higher. With
// `semaphore.maximum`, the call has no effect at the maximum: it returns BENCH_REFUSED if the
// kernel reports this, otherwise BENCH_OK. No scenario that is measured gives at the maximum.
BENCH_SERVICE enum bench_status bench_semaphore_give(struct bench_semaphore semaphore);

// --- Mutexes: service `mutex`; with inheritance: `mutex-inheritance` -----------------------------

// Acquires the mutex; blocks for up to `timeout_ticks` while another task owns it, then returns
// BENCH_TIMED_OUT.
BENCH_SERVICE enum bench_status bench_mutex_lock(struct bench_mutex mutex, uint32_t timeout_ticks);

// Releases the mutex. Only the owner may call it; with `mutex.ownership`, the kernel refuses a call
// of any other task.
BENCH_SERVICE enum bench_status bench_mutex_unlock(struct bench_mutex mutex);

// --- Condition variables: service `condition` ----------------------------------------------------
// A task uses a condition variable with one mutex. A wait may end without a signal, so the caller
// tests in a loop what it waits for.

// Releases `mutex`, which the caller owns, blocks until the condition is signalled, and acquires
// `mutex` again.
BENCH_SERVICE enum bench_status bench_condition_wait(struct bench_condition condition,
                                                     struct bench_mutex mutex);

// Wakes one waiter. The caller owns the mutex of the waiters.
BENCH_SERVICE enum bench_status bench_condition_signal(struct bench_condition condition);

// Wakes all waiters. The caller owns the mutex of the waiters.
BENCH_SERVICE enum bench_status bench_condition_broadcast(struct bench_condition condition);

// --- Read-write locks: service `rwlock` ----------------------------------------------------------
// Any number of tasks may read at a time, or one may write.

// Acquires the lock for reading; blocks for up to `timeout_ticks` while a task writes, then returns
// BENCH_TIMED_OUT.
BENCH_SERVICE enum bench_status bench_rwlock_lock_read(struct bench_rwlock lock,
                                                       uint32_t timeout_ticks);
BENCH_SERVICE enum bench_status bench_rwlock_unlock_read(struct bench_rwlock lock);

// Acquires the lock for writing; blocks for up to `timeout_ticks` while tasks read or write, then
// returns BENCH_TIMED_OUT.
BENCH_SERVICE enum bench_status bench_rwlock_lock_write(struct bench_rwlock lock,
                                                        uint32_t timeout_ticks);
BENCH_SERVICE enum bench_status bench_rwlock_unlock_write(struct bench_rwlock lock);

// --- Event flags: service `flags` ----------------------------------------------------------------
// A set has 24 flags, bits 0 to 23, because every kernel has at least that many.

// Blocks the caller until all of `bits` are set, then clears them. Returns BENCH_TIMED_OUT, and
// clears none, if they are not all set within `timeout_ticks`.
BENCH_SERVICE enum bench_status bench_flags_wait_all(struct bench_flags flags, uint32_t bits,
                                                     uint32_t timeout_ticks);

// Sets `bits` and wakes every task whose awaited bits are now all set.
BENCH_SERVICE enum bench_status bench_flags_set(struct bench_flags flags, uint32_t bits);

// --- Queues: service `queue` ---------------------------------------------------------------------

// Messages arrive in FIFO order. `message` has the declared size and is aligned to 4. With
// `queue.copies`, the kernel copies messages of any declared size; without it, a message is one
// word, for example the address of a buffer. A receiver blocks while the queue is empty, and a
// sender while it is full; BENCH_TIMED_OUT after the timeout. Without `queue.waiting_senders`, a
// send gets BENCH_NO_WAIT wherever the queue may be full.
BENCH_SERVICE enum bench_status bench_queue_send(struct bench_queue queue, const void *message,
                                                 uint32_t timeout_ticks);
BENCH_SERVICE enum bench_status bench_queue_receive(struct bench_queue queue, void *message,
                                                    uint32_t timeout_ticks);

// --- Message buffers: service `message-buffer` ---------------------------------------------------
// Messages have different lengths, are copied, and arrive in FIFO order. One task sends and one
// other task receives.

// Sends `bytes` bytes, at least 1. Blocks for up to `timeout_ticks` while there is no room, then
// returns BENCH_TIMED_OUT.
BENCH_SERVICE enum bench_status bench_message_send(struct bench_message_buffer buffer,
                                                   const void *message, uint32_t bytes,
                                                   uint32_t timeout_ticks);

// Receives the next message into `message`, which has room for `*bytes`, and stores its length in
// `*bytes`. Blocks for up to `timeout_ticks` while there is none, then returns BENCH_TIMED_OUT.
BENCH_SERVICE enum bench_status bench_message_receive(struct bench_message_buffer buffer,
                                                      void *message, uint32_t *bytes,
                                                      uint32_t timeout_ticks);

// --- Notifications: service `notification` -------------------------------------------------------

// Adds one to the task's notification counter, and wakes the task if it waits for a notification.
// Each task has one counter, which is 0 when the task is created. A task may notify itself.
BENCH_SERVICE enum bench_status bench_notify(struct bench_task task);

// Blocks the caller until its counter is not 0, then subtracts one. Returns BENCH_TIMED_OUT if the
// counter stays 0 for `timeout_ticks`.
BENCH_SERVICE enum bench_status bench_notification_wait(uint32_t timeout_ticks);

// --- Blocks: service `pool` ----------------------------------------------------------------------

// Allocates a block of the declared size, aligned to 8, from the kernel's own allocator and stores
// its address in `*block`. Never blocks: scenarios allocate no more blocks than they declare.
BENCH_SERVICE enum bench_status bench_pool_allocate(struct bench_pool pool, void **block);
// Returns a block to the pool that it came from.
BENCH_SERVICE enum bench_status bench_pool_free(struct bench_pool pool, void *block);

// --- Heaps: service `heap` -----------------------------------------------------------------------

// Allocates a block of `bytes` bytes, aligned to 8, and stores its address in `*block`. Never
// blocks: scenarios allocate no more than they declare.
BENCH_SERVICE enum bench_status bench_heap_allocate(struct bench_heap heap, uint32_t bytes,
                                                    void **block);
// Returns a block to the heap that it came from. Blocks are returned in any order.
BENCH_SERVICE enum bench_status bench_heap_free(struct bench_heap heap, void *block);

// --- Software timers: service `timer` ------------------------------------------------------------

// Starts a timer, or starts it again if it runs: it is due after the declared ticks. What it then
// does is the kernel's work: it gives the declared semaphore.
BENCH_SERVICE enum bench_status bench_timer_start(struct bench_timer timer);

// Stops a timer, which is then not due.
BENCH_SERVICE enum bench_status bench_timer_stop(struct bench_timer timer);

// --- Interrupts: service `interrupt` -------------------------------------------------------------

// Requests the declared interrupt by the processor's own mechanism: a real exception entry. If the
// interrupt's priority allows, the interrupt has been taken before the function returns. The
// interrupt's action is part of the kernel's work: it gives a semaphore, resumes a task or notifies
// a task if the feature `from_interrupt` of that service is true.
BENCH_SERVICE_VOID void bench_interrupt_trigger(struct bench_interrupt interrupt);

// Service `interrupt-line`, for suites in which a device replaces the trigger (bench/injection.h).
// Returns the line (arch/interrupt.h) of the declared interrupt. A kernel with this service lets
// the tasks of a scenario that injects interrupts access that device.
uint32_t bench_interrupt_line(struct bench_interrupt interrupt);

// Service `interrupt-driver`: an interrupt is delivered to an unprivileged task, its driver, and is
// not delivered again until the driver acknowledges it. This call acknowledges `interrupt`, which
// must be delivered to the caller, and blocks until the next one; the first call has nothing to
// acknowledge. A request that comes before the acknowledgement is kept. A driver uses its
// notifications for nothing else.
BENCH_SERVICE enum bench_status bench_interrupt_wait(struct bench_interrupt interrupt,
                                                     uint32_t timeout_ticks);

// Service `interrupt-handler`. A BENCH_INTERRUPT_HANDLER calls these in the interrupt's context.
BENCH_SERVICE enum bench_status
bench_semaphore_give_from_interrupt(struct bench_semaphore semaphore);
BENCH_SERVICE enum bench_status bench_task_resume_from_interrupt(struct bench_task task);

// --- Processes: service `process` ----------------------------------------------------------------
// A task uses the objects that belong to its process and those that name its process in `users`,
// and no others.

// Service `unprivileged`: no task of a scenario ever runs privileged. Every kernel has it whose
// feature `isolation` is not false; there is no function to call.

// Service `call`. Runs the gate's function in the gate's process and returns when the function has
// returned. `words` carry the arguments and the results. The function learns the caller's identity
// and runs at the caller's priority.
BENCH_SERVICE enum bench_status bench_call(struct bench_gate gate, uint32_t words[4]);

// Service `null-call`. Enters the kernel and returns without any work.
BENCH_SERVICE enum bench_status bench_null_call(void);

// Service `fault`. Returns how often `process` was terminated or restarted after a fault. A
// scenario provokes a fault by an access to an address outside its process.
uint32_t bench_process_faults(uint32_t process);

// --- Nodes: service `node` -----------------------------------------------------------------------
// Every node runs the same image and has its own copy of all variables. Tasks of different nodes
// share data through the shared memory, channels and buses only. Every node knows all tasks and
// semaphores. Semaphores may be used from every node; a task stays on its own node unless it
// migrates. Of the semaphore service, a kernel of several nodes needs only bench_semaphore_give and
// bench_semaphore_take with BENCH_FOREVER: it may lack timeouts.

// Returns the node that runs the caller, 0 … nodes - 1.
uint32_t bench_node_self(void);

// Service `node-mutex`: tasks of different nodes may lock one mutex, with BENCH_FOREVER.

// Service `node-interrupt`: bench_interrupt_trigger requests the declared interrupt on the caller's
// own node. Its action is to give a semaphore, for which a task of any node may wait.

// Service `migrate`. Moves the caller to `node`: the task runs there when the function returns,
// with its own stack, which is therefore in memory of all nodes. The scenario's variables are then
// that node's.
BENCH_SERVICE enum bench_status bench_task_migrate(uint32_t node);

// Service `shared-memory`. Returns memory that every node reads and writes, zero at start-up,
// aligned to 8.
#define BENCH_SHARED_BYTES 0x10000u
volatile void *bench_shared_memory(void);

// Service `channel`. Sends `count` words, at most the declared number. Blocks while the channel is
// full.
BENCH_SERVICE enum bench_status bench_channel_send(struct bench_channel channel,
                                                   const uint32_t *words, uint32_t count);
// Receives the first `count` words of the next message. Blocks while the channel is empty.
BENCH_SERVICE enum bench_status bench_channel_receive(struct bench_channel channel, uint32_t *words,
                                                      uint32_t count);

// Service `bus`. Sends `bytes` bytes, at most BENCH_BUS_BYTES, with a priority of 1 (most urgent)
// to 31. `message` is aligned to 4. Blocks while the bus queue is full.
BENCH_SERVICE enum bench_status bench_bus_send(struct bench_bus bus, const void *message,
                                               uint32_t bytes, uint32_t priority);
// Receives the most urgent message into `message`, which is aligned to 4 and has room for
// BENCH_BUS_BYTES, and stores its length in `*bytes`. Blocks while the bus queue is empty.
BENCH_SERVICE enum bench_status bench_bus_receive(struct bench_bus bus, void *message,
                                                  uint32_t *bytes);

// --- End of a run: bench/src/verdict.c, for scenarios, ports and platforms -----------------------

// Ends the run with status `fail` because the kernel did not do the work. `reason` is one line that
// names the fault. Never returns. May be called in any context.
_Noreturn void bench_fail(const char *reason);

// Ends the run of a scenario that ends by itself, after all its work is done. Never returns.
_Noreturn void bench_finish(void);

// Fails the run with `reason` unless `condition` holds. Scenarios check the kernel's behaviour with
// it.
#define BENCH_REQUIRE(condition, reason) \
    do {                                 \
        if (!(condition)) {              \
            bench_fail(reason);          \
        }                                \
    } while (0)

#endif
