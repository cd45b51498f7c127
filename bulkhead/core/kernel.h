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
// region of its own. The structure lies beside the kernel's stack, so that the entry from a thread
// reaches it at fixed offsets from SP; the linker script has room for KERNEL_STATE_BYTES.
struct kernel {
    struct thread *current;
    uint32_t ticks;
    uint32_t page_rest[6];
    const struct process *process; // the process of the current thread
    uint32_t rights_mask;          // the mask of a handle; the same for each process
    struct timers timers;
    struct wait_list ending;   // terminations: end.c
    uint32_t timed_priorities; // the priorities of all timers that were ever armed
    struct deferred *deferred; // deferred.c: the work that was added last, the head of the list
    struct ready ready;
    struct expired_timers expired;   // tick.c
    struct deferred expiry, endings; // the deferred work of tick.c and of end.c
};

extern struct kernel kernel;
extern struct thread kernel_idle;

// The value of kernel.current before the first thread runs, and after a thread has ended, whose
// registers are not saved.
extern struct thread kernel_no_thread;

// An interrupt line that is bound to a thread. It is masked from its interrupt until the driver
// acknowledges it.
struct bound_line {
    struct arch_line line;
    bool is_masked;
};

// Generated from the declaration.
extern struct thread kernel_threads[];
extern const struct thread_declaration kernel_thread_declarations[];
extern const uint32_t kernel_thread_count;
extern struct timer *kernel_timer_heap[]; // has room for every timer, and an unused first entry
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

// Discards the thread that such a function returns: the caller reads the ready queue later.
static inline void ignore_next(const struct thread *next) {
    (void)next;
}

// Sets the priority of a thread that is in no ring to that of `mask`.
static inline void thread_set_level(struct thread *thread, uint32_t mask) {
    thread->priority_mask = mask;
    thread->level = &kernel.ready.heads[arch_leading_zeroes(mask)];
}

// Returns the highest ready thread, or NO_SWITCH if that is the caller.
static inline MUST_USE struct thread *thread_highest_or_caller(void) {
    struct thread *highest = ready_highest(&kernel.ready);
    return highest == kernel.current ? NO_SWITCH : highest;
}

// Writes kernel.current, which lies in the page that processes may read.
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

// Ends a system call without a switch: its caller gets `result`, which is not OK. Returns
// NO_SWITCH.
MUST_USE struct thread *kernel_fail(enum bulkhead_result result);

// Calls arch_switch_request; out of line, for code that is not on a fast path.
void kernel_request_switch(void);

// Returns the highest ready thread; out of line, for code that is not on a fast path.
MUST_USE struct thread *thread_highest(void);

// --- level.c -------------------------------------------------------------------------------------

// Moves a ready thread to the priority of `mask`, after other threads of that priority.
void thread_move_ready(struct thread *thread, uint32_t mask);

// --- thread.c: the states of threads -------------------------------------------------------------

// Sets a thread that does not run to start at its entry.
void thread_rewind(struct thread *thread, const struct thread_declaration *declared);

// Prepares a thread that is at its entry to run, with `state`. If `state` is empty, adds the thread
// to the ready queue.
struct thread *thread_launch(struct thread *thread, const struct thread_declaration *declared,
                             uint32_t state);

// Adds a thread whose state has no bit set to the ready queue.
MUST_USE struct thread *thread_make_ready(struct thread *thread);

// Arms the timer of the current thread, which is about to wait for an object or an answer.
void thread_arm(uint32_t timeout_ticks);

// Blocks the current thread for `reason` until it is woken, or for `timeout_ticks`.
MUST_USE struct thread *thread_block(uint32_t reason, uint32_t timeout_ticks);

// Blocks the current thread as thread_block does, and adds it to `list`.
MUST_USE struct thread *thread_wait(struct wait_list *list, uint32_t timeout_ticks);

// Wakes a blocked thread: its call returns `result`.
MUST_USE struct thread *thread_wake(struct thread *thread, enum bulkhead_result result);

// Wakes the first waiter of `list`, which waits for no resource. Its call returns the result that
// is in its frame: BULKHEAD_OK unless the caller of this function has set another.
MUST_USE struct thread *thread_wake_first(struct wait_list *list);

// Wakes a thread with the result that is in its frame, ahead of threads of the same priority: it
// takes the position of the current thread in the ready queue.
void thread_wake_ahead(struct thread *thread);

// Waits as thread_wait does, but fails with TIMED_OUT if the timeout is BULKHEAD_NO_WAIT.
MUST_USE struct thread *thread_wait_if_any(struct wait_list *list, uint32_t timeout_ticks);

// Wakes the first waiter of `list`, one of the lists of `queue`: the waiter makes its call again,
// with the rest of its timeout. A suspended waiter does so only when it is resumed, so the next
// waiter is woken as well.
MUST_USE struct thread *thread_retry_first(struct queue *queue, struct wait_list *list);

// Takes a blocked thread out of the list, the timer and the inheritance that it waits in. The
// caller then decides whether it is ready.
void thread_leave_waiting(struct thread *thread);

// Moves a thread, ready or waiting, to the priority of `mask`.
void thread_prioritise(struct thread *thread, uint32_t mask);

// --- Functions of other files that several files use ---------------------------------------------

// The deferred work of flags.c: a set of flags that an interrupt has stopped.
extern const struct deferred_kind flags_deferred_set;

// In queue.c. For a thread that was woken to repeat its call on `queue` and will not repeat it:
// wakes the next waiter that can proceed. `queue` may be NULL.
void queue_cancel_wait(struct queue *queue);

// In queue.c. Fails a send or a receive with DENIED, because its caller has no access to the
// message, and wakes the next waiter as queue_cancel_wait does.
MUST_USE struct thread *queue_refuse(struct queue *queue);

// In pool.c. The slow paths of two methods: one waits for a block, the other gives the freed block
// at `address` to the first waiter. It does not read the address from the caller's frame again: the
// frame may lie in registers of a device, which may have changed since the address was checked.
MUST_USE struct thread *pool_wait(struct pool *pool, struct arch_frame *frame);
MUST_USE struct thread *pool_hand_over(struct pool *pool, uint32_t address);

// In suspend.c. The slow paths of two methods: one resumes a thread that also waits for something,
// or is not suspended; the other suspends a thread that is not the current one.
MUST_USE struct thread *thread_resume_waiting(struct thread *thread);
MUST_USE struct thread *thread_suspend_other(struct thread *thread);

// In end.c. Handles a fault of the current thread: terminates its process, which may restart.
void kernel_fault(void);

// In end.c, for options/restart.c. Begins the termination of the process of `leader`, or begins it
// again.
void kernel_end_process(struct thread *leader);

// In tick.c. Handles a tick: runs a timer that is due. The build generates the interrupt handler
// that calls it.
void kernel_tick(void);

// Arms a timer that is not armed; it runs at the priority of `mask`.
void kernel_arm(struct timer *timer, uint32_t due, uint32_t mask);
void kernel_disarm(struct timer *timer); // disarms a timer if it is armed
bool kernel_has_expired(void);           // whether a timer is due and was not run
// whether a timer that was due at an earlier tick is still in the heap
bool kernel_has_overdue(void);
// moves one overdue timer out of the heap, or runs the timer of the highest priority
void kernel_expire(void);

// In tickless.c: the tick, and the first step of other interrupts, in a system that is declared
// tickless.
void kernel_tick_after_idle(void);
void kernel_catch_up(void);

// The actions that the declaration binds to interrupts; called in the interrupt handler.
// called by arch_interrupt_posts in cases that its fast path does not handle
void kernel_interrupt_posts(struct semaphore *semaphore);
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

// Gives `thread` the priority that it should have, and passes the change on along the chain of
// threads that wait for each other. If an interrupt is pending, the rest of the chain is deferred.
void thread_inherit(struct thread *thread);

// Does the same after a thread of the priority of `mask` has begun to wait for `thread`. Such a
// change cannot lower the priority of `thread`, so this takes fewer steps.
void thread_lend(struct thread *thread, uint32_t mask);

// The kind of a deferred walk of inherited priorities. The walk continues at the thread that
// contains the work as a member.
extern const struct deferred_kind inherit_deferred_walk;

// Ends a call that names a thread of a process that is being terminated: gives the termination the
// priority of the caller, so that the termination is complete before the caller continues.
MUST_USE struct thread *end_first(struct thread *thread, enum bulkhead_result result);

// Called when a thread no longer waits for a mutex, or for the answer of a gate (struct resource).
void mutex_cancel_wait(struct resource *resource, struct thread *waiter);
void gate_cancel_wait(struct resource *resource, struct thread *waiter);

// Does one piece of the termination of a thread: passes on one mutex that it holds, or examines the
// next mutex that it may hold. Returns false if no mutex was left.
MUST_USE bool mutex_give_back(struct thread *thread);

// Forbids the fast paths for the next answer of `server` to its client, and for calls to `server`.
void gate_use_slow_path(struct thread *server);

// Does one piece of the termination of a server: wakes its client, or a caller that waits, with
// BULKHEAD_PEER_LOST. Returns false if no client or caller was left.
MUST_USE bool gate_abort(const struct thread *thread);

// --- memory.c: words -----------------------------------------------------------------------------

void kernel_copy(uint32_t *to, const uint32_t *end, const uint32_t *from);
void kernel_clear(void *from, const void *end);

// --- fault.c -------------------------------------------------------------------------------------

// Initialises the next words of a process's memory, from `at` on. Returns the address after them.
MUST_USE uint32_t *process_load(const struct process_memory *memory, uint32_t *at);

#endif
