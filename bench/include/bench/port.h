// SPDX-License-Identifier: MIT
//
// The porting contract: all that a scenario asks of a kernel, and all that a kernel's port must
// provide.
//
// A port is one file, kernels/<kernel>/port.c, that defines some of the functions below. What it
// does not define comes from bench/src/unsupported.c and reports BENCH_UNSUPPORTED; kernel.toml's
// `services` names what the kernel has, and a scenario that needs more is never built for it.
//
// Rules for every port
//  1. A port never does the kernel's work. It translates arguments and results and calls one
//     service of the kernel. It keeps no queue, list, counter or state of its own beyond the
//     handles of the objects.
//  2. One function a service, never inlined into the scenario: the price of the porting layer is
//     one call, the same for every kernel (BENCH_SERVICE sees to it, under link-time optimisation
//     too).
//  3. What the kernel lacks is unsupported. Another service that comes near it is another scenario.
//  4. The kernel's documented interface only, in the form its manual recommends for the purpose.
//  5. Objects are created from `bench_scenario` before the kernel starts, and never in a service;
//     bench_task_create alone creates a task.
//  6. A port adds no check that the kernel leaves out, and removes none that its configuration has.
//  7. No marks, no console output, no masking of interrupts in a service.
//
// Units: times are ticks of 10 ms unless the run says otherwise; sizes are bytes; priorities are 1
// (highest) to 31. Every function may be called by a task only, unless its comment says otherwise.
// A function that returns enum bench_status returns BENCH_OK only if the kernel reported success.
#ifndef BENCH_PORT_H
#define BENCH_PORT_H

#include <bench/scenario.h>
#include <stdbool.h>
#include <stdint.h>

enum bench_status {
    BENCH_OK = 0,
    BENCH_TIMED_OUT,   // not available within the timeout; at once, with BENCH_NO_WAIT
    BENCH_REFUSED,     // the kernel reported any other error
    BENCH_DENIED,      // the kernel refused for lack of a right (isolating kernels)
    BENCH_PEER_LOST,   // the called process, or the owner of what was waited for, has died
    BENCH_UNSUPPORTED, // the kernel has no such service
};

// Out of line, whatever the optimiser sees; the result must be looked at.
#define BENCH_SERVICE __attribute__((noinline, noclone, warn_unused_result))
#define BENCH_SERVICE_VOID __attribute__((noinline, noclone))

// Identifiers: one type a kind, so that the compiler refuses a queue where a task belongs. `index`
// is the place in the scenario's table.
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

// Ticks to wait. BENCH_NO_WAIT never blocks; BENCH_FOREVER never times out.
#define BENCH_NO_WAIT 0u
#define BENCH_FOREVER UINT32_MAX

// --- Start ---------------------------------------------------------------------------------------

// Called once by the platform, on the start-up stack, interrupts as after reset, data initialised.
// Creates everything in `bench_scenario`, starts the kernel with its tick, and does not return.
_Noreturn void bench_port_start(void);

// --- Tasks ---------------------------------------------------------------------------------------

// Service `task-create`. Brings a BENCH_ABSENT task to life, ready to run. Pre-empts if it is
// higher.
BENCH_SERVICE enum bench_status bench_task_create(struct bench_task task);

// Service `task-exit`. Ends the calling task.
_Noreturn void bench_task_exit(void);

// Service `yield`. The caller goes behind the ready tasks of its own priority; the first of them
// runs.
BENCH_SERVICE_VOID void bench_task_yield(void);

// Service `suspend`. Takes `task` (the caller itself included) out of scheduling until it is
// resumed, whatever else happens meanwhile. Suspensions do not nest. Service `suspend-self`: the
// same where `task` is always the caller; who has `suspend` has it.
BENCH_SERVICE enum bench_status bench_task_suspend(struct bench_task task);

// Service `resume`. Makes a suspended task ready. Pre-empts at once if it is higher than the
// caller.
BENCH_SERVICE enum bench_status bench_task_resume(struct bench_task task);

// Service `delay`. The caller sleeps for `ticks` tick interrupts at least.
BENCH_SERVICE_VOID void bench_task_delay(uint32_t ticks);

// Service `delay-periodic`. The caller sleeps until tick `*wake` + `period`, and `*wake` becomes
// that tick. Before the first call the caller sets it, from bench_ticks().
BENCH_SERVICE_VOID void bench_task_delay_until(uint32_t *wake, uint32_t period);

// Service `priority`. Changes the base priority (1 … 31) of a task; the highest ready task then
// runs at once.
BENCH_SERVICE enum bench_status bench_task_set_priority(struct bench_task task, uint32_t priority);

// The declared index of the calling task; for tasks that share an entry function. Every port has
// it. May be slow: scenarios call it once, before they measure.
struct bench_task bench_task_self(void);

// Ticks since the kernel started. Every port with a tick has it. Wraps.
uint32_t bench_ticks(void);

// --- Semaphores: service `semaphore` -------------------------------------------------------------

// Takes one count, or waits. Waiters are served highest priority first, FIFO among equals.
BENCH_SERVICE enum bench_status bench_semaphore_take(struct bench_semaphore semaphore,
                                                     uint32_t timeout_ticks);

// Gives one count or wakes one waiter; pre-empts if that one is higher. At the maximum without
// effect: BENCH_REFUSED if the kernel tells, BENCH_OK if it does not.
BENCH_SERVICE enum bench_status bench_semaphore_give(struct bench_semaphore semaphore);

// --- Mutexes: service `mutex`; with inheritance: `mutex-inheritance` -----------------------------

BENCH_SERVICE enum bench_status bench_mutex_lock(struct bench_mutex mutex, uint32_t timeout_ticks);

// The owner only.
BENCH_SERVICE enum bench_status bench_mutex_unlock(struct bench_mutex mutex);

// --- Event flags: service `flags` ----------------------------------------------------------------
// A set has 24 flags, bits 0 to 23: as many as every kernel has.

// Waits until all of `bits` are set, then clears them.
BENCH_SERVICE enum bench_status bench_flags_wait_all(struct bench_flags flags, uint32_t bits,
                                                     uint32_t timeout_ticks);

// Sets `bits` and wakes every task whose condition now holds.
BENCH_SERVICE enum bench_status bench_flags_set(struct bench_flags flags, uint32_t bits);

// --- Queues: service `queue` ---------------------------------------------------------------------

// Messages are copied; `message` has the declared size and is aligned to 4. FIFO.
BENCH_SERVICE enum bench_status bench_queue_send(struct bench_queue queue, const void *message,
                                                 uint32_t timeout_ticks);
BENCH_SERVICE enum bench_status bench_queue_receive(struct bench_queue queue, void *message,
                                                    uint32_t timeout_ticks);

// --- Notifications: service `notification` -------------------------------------------------------

// Each task has one counter of notifications, at 0 when it is created. Adds one, and wakes the task
// if it waits. May notify the caller itself.
BENCH_SERVICE enum bench_status bench_notify(struct bench_task task);

// Waits until the caller's counter is not 0, then subtracts one.
BENCH_SERVICE enum bench_status bench_notification_wait(uint32_t timeout_ticks);

// --- Blocks: service `pool` ----------------------------------------------------------------------

// A block of the declared size, aligned to 8, from the kernel's own allocator. Never waits:
// scenarios ask for no more blocks than they declare.
BENCH_SERVICE enum bench_status bench_pool_allocate(struct bench_pool pool, void **block);
BENCH_SERVICE enum bench_status bench_pool_free(struct bench_pool pool, void *block);

// --- Interrupts: service `interrupt` -------------------------------------------------------------

// Requests the declared interrupt by the processor's own means: a real exception entry, which has
// been taken before the function returns if the interrupt's priority allows. Its action is part of
// the kernel's work.
BENCH_SERVICE_VOID void bench_interrupt_trigger(struct bench_interrupt interrupt);

// Service `interrupt-line`, for suites that put a device in the place of the trigger
// (bench/injection.h). The line of arch/interrupt.h on which the declared interrupt comes in. A
// kernel that has this service lets the tasks of a scenario that injects reach that device.
uint32_t bench_interrupt_line(struct bench_interrupt interrupt);

// Service `interrupt-driver`: an interrupt is delivered to an unprivileged task, its driver, and
// comes no more before that acknowledges it. Acknowledges `interrupt`, which delivers to the
// caller, and waits for the next; the first call finds nothing to acknowledge. A request that comes
// in between is kept. A driver has no other use for its notifications.
BENCH_SERVICE enum bench_status bench_interrupt_wait(struct bench_interrupt interrupt,
                                                     uint32_t timeout_ticks);

// What a BENCH_INTERRUPT_HANDLER may call, in the interrupt's context. Service `interrupt-handler`.
BENCH_SERVICE enum bench_status
bench_semaphore_give_from_interrupt(struct bench_semaphore semaphore);
BENCH_SERVICE enum bench_status bench_task_resume_from_interrupt(struct bench_task task);

// --- Processes: service `process` ----------------------------------------------------------------
// A task uses what belongs to its process and what names its process as a user, and nothing else.

// Service `unprivileged`: no task of a scenario ever has the processor's privileges. Every kernel
// whose feature `isolation` is not false has it; there is nothing to call.

// Service `call`. Runs the gate's function in its process and comes back with its words. The callee
// sees the caller's identity and runs at the caller's priority.
BENCH_SERVICE enum bench_status bench_call(struct bench_gate gate, uint32_t words[4]);

// Service `null-call`. Enters the kernel, does nothing and returns.
BENCH_SERVICE enum bench_status bench_null_call(void);

// Service `fault`. How often a process has been killed or restarted after a fault. A scenario
// provokes the fault itself: it reads or writes an address outside its process.
uint32_t bench_process_faults(uint32_t process);

// --- Nodes: service `node` -----------------------------------------------------------------------
// Every node runs the same image with variables of its own: what tasks of several nodes share is in
// the shared memory, and travels by channels and buses. Tasks and semaphores are known everywhere,
// and a semaphore may be used from every node; a task stays on its own. Of semaphores, taking with
// BENCH_FOREVER and giving is enough: a kernel of several nodes may be without timeouts.

// The node the caller runs on; 0 … nodes - 1.
uint32_t bench_node_self(void);

// Service `shared-memory`. Memory that every node reads and writes, zero at the start, aligned
// to 8.
#define BENCH_SHARED_BYTES 0x10000u
volatile void *bench_shared_memory(void);

// Service `channel`. Waits for a place; sends `count` words, no more than declared.
BENCH_SERVICE enum bench_status bench_channel_send(struct bench_channel channel,
                                                   const uint32_t *words, uint32_t count);
// Waits for a message and takes its first `count` words.
BENCH_SERVICE enum bench_status bench_channel_receive(struct bench_channel channel, uint32_t *words,
                                                      uint32_t count);

// Service `bus`. Waits for a place; sends `bytes`, at most BENCH_BUS_BYTES, with a priority of 1
// (most urgent) to 31. `message` is aligned to 4.
BENCH_SERVICE enum bench_status bench_bus_send(struct bench_bus bus, const void *message,
                                               uint32_t bytes, uint32_t priority);
// Waits for the most urgent message and copies it to `message`, aligned to 4, with room for
// BENCH_BUS_BYTES. `*bytes` becomes its length.
BENCH_SERVICE enum bench_status bench_bus_receive(struct bench_bus bus, void *message,
                                                  uint32_t *bytes);

// --- Ends: provided by bench/src/verdict.c, for scenarios, ports and platforms -------------------

// The kernel did not do the work: ends the run with status `fail` and `reason`, one line that names
// the fault. Never returns. May be called in any context.
_Noreturn void bench_fail(const char *reason);

// The scenario has done all it set out to do, where it ends by itself. Never returns.
_Noreturn void bench_finish(void);

// Fails with `reason` unless `condition` holds. For what a scenario must see of the kernel.
#define BENCH_REQUIRE(condition, reason) \
    do {                                 \
        if (!(condition)) {              \
            bench_fail(reason);          \
        }                                \
    } while (0)

#endif
