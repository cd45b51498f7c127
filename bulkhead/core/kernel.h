// SPDX-License-Identifier: MIT
//
// The state of the kernel, and the functions that its files call in each other.
//
// System calls, the tick and the interrupts that the kernel serves have one exception priority.
// None interrupts another, so no code sees this state half-changed. On RV32 a trap masks them. On
// Arm PendSV has a lower priority, so the switch masks them while it charges, traces or checks
// (ACCOUNT, AT_THREAD, HOOK_AT_SWITCH), loads the regions of a process on Armv8-M (UNIT_MASK),
// makes a thread current there (SET_CURRENT), and where a stack has no room for floating-point
// registers (arch_abandon_thread).
#ifndef KERNEL_KERNEL_H
#define KERNEL_KERNEL_H

#include "process.h"
#include <ready.h>
#include "wait.h"
#include <bulkhead/bulkhead.h>

struct semaphore;
struct flags;
struct pool;

// The first bytes are the page that every process may read (struct bulkhead_page), which is a
// region of its own. The structure lies where the kernel's stack begins, so that the entry from a
// thread reaches it from SP; the linker script has room for KERNEL_STATE_BYTES.
struct kernel {
    struct thread *current;
    uint32_t ticks;
    uint32_t page_rest[6];
    const struct process *process; // the current thread's
    uint32_t rights_mask;          // for a handle; the same for each process
    struct timers timers;
    struct wait_list ending;   // end.c
    uint32_t timed_priorities; // the priorities at which any timer ever was armed
    struct deferred *deferred; // deferred.c: the work that was added last
    struct ready ready;
    struct expired_timers expired;   // tick.c
    struct deferred expiry, endings; // the work of tick.c and of end.c
};

extern struct kernel kernel;
extern struct thread kernel_idle;

// The current thread before the first one, and after a thread that has ended, whose registers are
// not saved.
extern struct thread kernel_no_thread;

// A line that is delivered to a driver is masked until the driver acknowledges it.
struct bound_line {
    struct arch_line line;
    bool is_masked;
};

// From the declaration.
extern struct thread kernel_threads[];
extern const struct thread_declaration kernel_thread_declarations[];
extern const uint32_t kernel_thread_count;
extern struct timer *kernel_timer_heap[]; // room for every timer, and one more
extern const struct process *const kernel_processes[];
extern const uint32_t kernel_process_count;
extern const uint32_t kernel_rights_mask;
extern const struct thread_declaration kernel_idle_declaration;
extern const struct bound_line kernel_lines[];
extern const uint32_t kernel_line_count;

// Functions that may ready a thread, and every system call, return the thread to run next, or
// NO_SWITCH if the caller continues.
#define NO_SWITCH NULL
#define unlikely(condition) __builtin_expect(!!(condition), 0)

// Discards the thread that such a function returns: the caller takes the highest thread from the
// ready queue later.
static inline void ignore_next(const struct thread *next) {
    (void)next;
}

// Gives a thread that is in no ring the priority of `mask`.
static inline void thread_set_level(struct thread *thread, uint32_t mask) {
    thread->priority_mask = mask;
    thread->level = &kernel.ready.heads[arch_leading_zeroes(mask)];
}

// Returns the highest ready thread, or NO_SWITCH if that is the caller.
static inline MUST_USE struct thread *thread_highest_or_caller(void) {
    struct thread *highest = ready_highest(&kernel.ready);
    return highest == kernel.current ? NO_SWITCH : highest;
}

// Changes a word of the page that processes may read.
static inline void kernel_set_current(struct thread *thread) {
    arch_page_open();
    kernel.current = thread;
    arch_page_close();
}

static inline void kernel_add_ticks(uint32_t ticks) {
    arch_page_open();
    kernel.ticks += ticks;
    arch_page_close();
}

// --- outcome.c: how a call or an interrupt ends --------------------------------------------------

// Ends a call without a switch and with another result than OK.
MUST_USE struct thread *kernel_fail(enum bulkhead_result result);

// arch_switch_request, out of line where it is no part of a short path.
void kernel_request_switch(void);

// Returns the highest ready thread; out of line as well.
MUST_USE struct thread *thread_highest(void);

// --- level.c -------------------------------------------------------------------------------------

// Moves a ready thread to the priority of `mask`, after its equals.
void thread_move_ready(struct thread *thread, uint32_t mask);

// --- thread.c: the states of threads -------------------------------------------------------------

// Puts a thread that does not run at its entry.
void thread_rewind(struct thread *thread, const struct thread_declaration *declared);

// Prepares a thread that is at its entry to run, with `state`. If that is empty, adds it to the
// ready queue.
struct thread *thread_launch(struct thread *thread, const struct thread_declaration *declared,
                             uint32_t state);

// Adds a thread whose state is empty to the ready queue.
MUST_USE struct thread *thread_make_ready(struct thread *thread);

// Arms the timer of the current thread, which waits for an object or an answer.
void thread_arm(uint32_t timeout_ticks);

// Blocks the current thread for `reason` until it is woken, or for `timeout_ticks`.
MUST_USE struct thread *thread_block(uint32_t reason, uint32_t timeout_ticks);

// As thread_block, and adds the current thread to `list`.
MUST_USE struct thread *thread_wait(struct wait_list *list, uint32_t timeout_ticks);

// Wakes a blocked thread: its call returns `result`.
MUST_USE struct thread *thread_wake(struct thread *thread, enum bulkhead_result result);

// Wakes the first waiter of `list`, which waits for no resource: its call returns BULKHEAD_OK.
MUST_USE struct thread *thread_wake_first(struct wait_list *list);

// As thread_wake with the result that is in its frame, ahead of its equals: it takes the turn of
// the current thread.
void thread_wake_ahead(struct thread *thread);

// As thread_wait; TIMED_OUT if the timeout is BULKHEAD_NO_WAIT.
MUST_USE struct thread *thread_wait_if_any(struct wait_list *list, uint32_t timeout_ticks);

// Wakes the first waiter of `list`, one of the queue's lists: it makes its call again, with the
// rest of its timeout. A waiter that is also suspended does so when it is resumed, and the next one
// is woken, too.
MUST_USE struct thread *thread_retry_first(struct queue *queue, struct wait_list *list);

// Takes a blocked thread out of the list, the timer and the inheritance that it waits in. The
// caller then decides whether it is ready.
void thread_leave_waiting(struct thread *thread);

// Moves a thread, ready or waiting, to the priority of this mask.
void thread_prioritise(struct thread *thread, uint32_t mask);

// --- Others --------------------------------------------------------------------------------------

// flags.c: a deferred set.
extern const struct deferred_kind flags_deferred_set;

// queue.c. A thread that was woken to make its call again will not make it: wakes the next waiter
// that can go on. NULL is no queue.
void queue_cancel_wait(struct queue *queue);

// The same. The end of a send or a receive whose caller may not read or write the message.
MUST_USE struct thread *queue_refuse(struct queue *queue);

// pool.c. Parts of the methods, as those of suspend.c: waits for a block; gives the block of the
// call to the first waiter.
MUST_USE struct thread *pool_wait(struct pool *pool, struct arch_frame *frame);
MUST_USE struct thread *pool_hand_over(struct pool *pool, struct arch_frame *frame);

// suspend.c. Parts of the methods, for an architecture that has their shortest cases in assembler:
// resumes a thread that also waits for something, or is not suspended; suspends a thread that does
// not run.
MUST_USE struct thread *thread_resume_waiting(struct thread *thread);
MUST_USE struct thread *thread_suspend_other(struct thread *thread);

// end.c. The current thread has faulted: terminates its process, which may restart.
void kernel_fault(void);

// end.c, for options/restart.c. Begins the termination of the process of `leader`, or begins it
// again.
void kernel_end_process(struct thread *leader);

// tick.c. Handles a tick: runs a timer that is due. The build generates the interrupt handler.
void kernel_tick(void);

// Arms a timer that is not armed; it runs at the priority of `mask`.
void kernel_arm(struct timer *timer, uint32_t due, uint32_t mask);
void kernel_disarm(struct timer *timer); // if it is armed
bool kernel_has_expired(void);           // some timer is due and was not run
bool kernel_has_overdue(void);           // … and was due at an earlier tick, and is in the heap
void kernel_expire(void);                // moves one that is overdue, or runs the highest

// tickless.c: the tick, and what other interrupts do first, in a system that is declared tickless.
void kernel_tick_after_idle(void);
void kernel_catch_up(void);

// The actions that interrupts are bound to; in interrupt context.
void kernel_interrupt_posts(struct semaphore *semaphore); // arch_interrupt_posts comes first
void kernel_interrupt_resumes(struct thread *thread);
void kernel_interrupt_notifies(struct thread *thread);
void kernel_interrupt_sets(struct flags *flags, uint32_t bits);
void kernel_interrupt_delivers(struct thread *driver);

// --- Inheritance: inherit.c, mutex.c, gate.c -----------------------------------------------------

// Returns the priority that `thread` should have: its own, or what it inherits.
uint32_t thread_inherited_mask(const struct thread *thread);

// Returns the thread that `thread` waits for, and that inherits its priority; NULL if there is
// none.
struct thread *thread_waited_for(const struct thread *thread);

// Gives `thread` the priority that it should have, and passes that on along the chain of threads
// that wait for each other. Where an interrupt is pending the rest of the chain is deferred.
void thread_inherit(struct thread *thread);

// The same after a thread of the priority of `mask` has begun to wait for `thread`: this does not
// lower its priority.
void thread_lend(struct thread *thread, uint32_t mask);

// A deferred walk of inherited priorities. It continues at the thread whose member the work is.
extern const struct deferred_kind inherit_deferred_walk;

// Ends a call for a thread of a process that is being terminated: gives the termination the
// priority of the caller, so that it is complete before the caller goes on.
MUST_USE struct thread *end_first(struct thread *thread, enum bulkhead_result result);

// A thread no longer waits for a mutex, or for the answer of a gate: struct resource.
void mutex_cancel_wait(struct resource *resource, struct thread *waiter);
void gate_cancel_wait(struct resource *resource, struct thread *waiter);

// Does one piece of the termination of a thread: passes on one mutex that it holds, or looks at the
// next that it may hold. Returns false if none was left.
MUST_USE bool mutex_give_back(struct thread *thread);

// The fast path may no longer answer the client of `server`, or call `server`.
void gate_use_slow_path(struct thread *server);

// Does one piece of the termination of a server: wakes its client, or a caller that waits, with
// BULKHEAD_PEER_LOST. Returns false if none was left.
MUST_USE bool gate_abort(const struct thread *thread);

// --- memory.c: words -----------------------------------------------------------------------------

void kernel_copy(uint32_t *to, const uint32_t *end, const uint32_t *from);
void kernel_clear(void *from, const void *end);

// --- fault.c -------------------------------------------------------------------------------------

// Initialises the next words of a process's memory, from `at` on. Returns the address after them.
MUST_USE uint32_t *process_load(const struct process_memory *memory, uint32_t *at);

#endif
