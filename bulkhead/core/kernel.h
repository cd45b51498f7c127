// SPDX-License-Identifier: MIT
//
// The kernel's state, and what its parts say to each other.
//
// System calls, the tick and the interrupts that the kernel serves have one exception priority.
// None interrupts another, so nothing here is ever seen half-changed and nothing is masked: but
// where a thread's stack has no room for its floating-point registers (arch/armv7-m/entry.S).
#ifndef KERNEL_KERNEL_H
#define KERNEL_KERNEL_H

#include "process.h"
#include <ready.h>
#include "wait.h"
#include <bulkhead/bulkhead.h>

struct semaphore;
struct flags;

// The first bytes are the page that every process may read (struct bulkhead_page): a region of its
// own. The whole stands where the kernel's stack begins, so that the entry from a thread reaches it
// without an address; layout.ld has room for KERNEL_STATE_BYTES.
struct kernel {
    struct thread *current;
    uint32_t ticks;
    uint32_t page_rest[6];
    const struct process *process; // the current thread's
    uint32_t rights_mask; // of a handle, as a call brings it: each process's table is as long
    struct timers timers;
    struct wait_list ending; // end.c
    uint32_t timed_bits;     // of the priorities at which any timer ever was armed
    struct flags *deferred;  // deferred.c
    struct ready ready;
    struct expired_timers expired; // tick.c
    struct thread *inheriting;     // inherit.c: those whose priority is still to be changed
};

extern struct kernel kernel;
extern struct thread kernel_idle;

// Stands where there is no thread: before the first, and in place of one that has ended, whose
// registers nobody wants back.
extern struct thread kernel_nobody;

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

// What a system call decides: the thread to run, or NULL for the caller to go on.
typedef struct thread *decision;
#define GO_ON NULL
#define SELDOM(condition) __builtin_expect(!!(condition), 0)

// --- thread.c: the states of threads -------------------------------------------------------------

// Puts a thread at its entry, with `state`; in the ready queue if that is empty.
decision thread_launch(struct thread *thread, const struct thread_declaration *declared,
                       uint32_t state);

// Takes a thread out of whatever it is in, and into kernel.ending. `how`: THREAD_LOST and
// THREAD_LEADS, or 0. One that is ending already, or absent, begins once more.
void thread_end(struct thread *thread, uint32_t how);

// Its end is over: who waits for that is told.
void thread_become_absent(struct thread *thread);

// The current thread stops for `reason`: until it is woken, or for `timeout_ticks`.
MUST_USE decision thread_block(uint32_t reason, uint32_t timeout_ticks);

// As thread_block, in `list`, where others find it.
MUST_USE decision thread_wait(struct wait_list *list, uint32_t timeout_ticks);

// Ends a blocked thread's waiting: its call returns `result`.
MUST_USE decision thread_wake(struct thread *thread, enum bulkhead_result result);

// As thread_wake with what its frame says, ahead of its equals: it goes on for the current thread.
void thread_proceed(struct thread *thread);

// thread_wait; a caller that does not wait has timed out.
MUST_USE decision thread_wait_if_any(struct wait_list *list, uint32_t timeout_ticks);

// Wakes the first that waits in `list`, one of the queue's: it makes its call again, with what is
// left of its timeout. One that is suspended as well does so when it is resumed, and is not the
// only one.
MUST_USE decision thread_retry_first(struct queue *queue, const struct wait_list *list);

// The end of a call that does not switch and does not succeed.
MUST_USE decision kernel_answer(enum bulkhead_result result);

// arch_switch_request, out of line: for where that is no part of a short path.
void kernel_request_switch(void);

// The highest that is ready; out of line as well.
MUST_USE decision thread_highest(void);

// Moves a thread to the priority of this bit, wherever it stands.
void thread_prioritise(struct thread *thread, uint32_t bit);

// --- Others --------------------------------------------------------------------------------------

// flags.c: what is left of a set that is under way. Returns the highest thread, never GO_ON.
MUST_USE decision flags_go_on(struct flags *flags);

// queue.c. A thread that was woken to make its call again does not: who else could go on is woken.
// NULL is no queue.
void queue_forsake(struct queue *queue);

// deferred.c. A thread that waits has changed its place in its list.
void deferred_start_over(void);

// end.c. The current thread did what it must not: kills or restarts its process.
MUST_USE decision kernel_fault(void);

// The same. Who asks for a thread of a process that is being ended is answered, but all of that end
// comes first, at the caller's priority.
MUST_USE decision end_first(const struct thread *thread, enum bulkhead_result result);

// The same. Goes on with the most urgent of kernel.ending. Returns the highest thread, never GO_ON.
MUST_USE decision end_go_on(void);

// tick.c. The tick, whose handler is generated; wakes whom it is time for.
void kernel_tick(void);

// A timer is run at the priority of `bit`. One that is armed already is armed again.
void kernel_arm(struct timer *timer, uint32_t due, uint32_t bit);
void kernel_disarm(struct timer *timer); // if it is armed
bool kernel_has_expired(void);           // some timer is due and was not run
bool kernel_has_overdue(void);           // … and was due at an earlier tick, and is in the heap
void kernel_expire(void);                // moves one that is overdue, or runs the highest

// tickless.c: the same, and what other interrupts do first, in a system that is declared so.
void kernel_tick_after_idle(void);
void kernel_catch_up(void);

// What interrupts are bound to; in interrupt context.
void kernel_interrupt_posts(struct semaphore *semaphore);
void kernel_interrupt_resumes(struct thread *thread);
void kernel_interrupt_notifies(struct thread *thread);
void kernel_interrupt_sets(struct flags *flags, uint32_t bits);
void kernel_interrupt_delivers(struct thread *driver);

// --- Inheritance: inherit.c, mutex.c, gate.c -----------------------------------------------------

// Returns the priority that `thread` should have: its own, or what it inherits.
uint32_t thread_inherited_bit(const struct thread *thread);

// Returns the thread that `thread` waits for, and that inherits its priority; NULL if there is
// none.
struct thread *thread_waited_for(const struct thread *thread);

// Gives `thread` the priority that it should have, and passes that on along the chain of threads
// that wait for each other. Where an interrupt is pending the rest of the chain is deferred.
void thread_inherit(struct thread *thread);

// Returns the deferred walk of the highest priority, if that is `*bit` at least, and raises `*bit`
// to its priority; NULL if there is none.
struct thread *inherit_most_urgent(uint32_t *bit);

// Goes on with the walk at `thread`. Returns the highest thread, never GO_ON.
MUST_USE decision inherit_go_on(struct thread *thread);

// `thread` has ended: takes it out of the deferred walks.
void inherit_forget(struct thread *thread);

// A thread no longer waits for `mutex`.
void mutex_forsake(struct mutex *mutex);

// A thread ends: one that it holds passes on, or the next that it may hold is looked at. False if
// none was left.
MUST_USE bool mutex_give_back(struct thread *thread);

// A server has become more than its client's answer, or its next call, can undo by themselves.
void gate_entangle(struct thread *server);

// A thread no longer waits for the answer of `gate`.
void gate_forsake(struct gate *gate, const struct thread *thread);

// A thread ends: the one that it serves is told, or one that waits for that. False if none was
// left.
MUST_USE bool gate_abandon(const struct thread *thread);

// --- memory.c: words -----------------------------------------------------------------------------

void kernel_copy(uint32_t *to, const uint32_t *end, const uint32_t *from);
void kernel_clear(void *from, const void *end);

// --- fault.c -------------------------------------------------------------------------------------

// Initialises some of a process's memory, from `at` on. Returns up to where.
MUST_USE uint32_t *process_load(const struct process_memory *memory, uint32_t *at);

#endif
