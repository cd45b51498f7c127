// SPDX-License-Identifier: MIT
//
// The optional parts of the kernel (options/) that the declaration of a system needs. The generator
// names them in kernel_features.h. A system that declares none of them has none of their code: the
// names of this header then expand to nothing, and kernel_options.c includes no file of options/.
#ifndef KERNEL_OPTIONAL_H
#define KERNEL_OPTIONAL_H

#if __has_include(<kernel_features.h>)
#include <kernel_features.h>
#endif

#ifndef KERNEL_HAS_BUDGETS
#define KERNEL_HAS_BUDGETS 0
#endif
#ifndef KERNEL_HAS_RESTARTS
#define KERNEL_HAS_RESTARTS 0
#endif
#ifndef KERNEL_HAS_RECORD
#define KERNEL_HAS_RECORD 0
#endif

// Memory that a client lends with a call: options/lease.c.
#ifndef KERNEL_HAS_LEASES
#define KERNEL_HAS_LEASES 0
#endif

// The tables of methods for rights that only send and rights that only receive: method_tables.inc.
#ifndef KERNEL_HAS_RIGHTS_APART
#define KERNEL_HAS_RIGHTS_APART 0
#endif

// Regions that a process only reads, on Armv8-M: armv8-m/options/shares.c.
#ifndef KERNEL_HAS_SHARES
#define KERNEL_HAS_SHARES 0
#endif

// The trace of switches and faults, and of calls: options/trace.c.
#ifndef KERNEL_HAS_TRACE
#define KERNEL_HAS_TRACE 0
#endif
#ifndef KERNEL_HAS_TRACE_CALLS
#define KERNEL_HAS_TRACE_CALLS 0
#endif

// The stack and the processor time of each thread: options/marks.c, options/times.c.
#ifndef KERNEL_HAS_MARKS
#define KERNEL_HAS_MARKS 0
#endif
#ifndef KERNEL_HAS_TIMES
#define KERNEL_HAS_TIMES 0
#endif
#define KERNEL_HAS_MEASURES (KERNEL_HAS_MARKS || KERNEL_HAS_TIMES)

// Code for the switch into another process; `process` is the register with its address.
#ifdef __ASSEMBLER__
#if KERNEL_HAS_BUDGETS
#include <account.inc>
#define HOOK_PROCESS(process) ACCOUNT process
#else
#define HOOK_PROCESS(process)
#endif

// Code for the switch to another thread.
#if KERNEL_HAS_TIMES || KERNEL_HAS_TRACE
#include <at_thread.inc>
#endif
#if KERNEL_HAS_TIMES && KERNEL_HAS_TRACE
#define HOOK_THREAD(to)         \
    AT_THREAD trace_switch, to; \
    AT_THREAD times_enter, to
#elif KERNEL_HAS_TRACE
#define HOOK_THREAD(to) AT_THREAD trace_switch, to
#elif KERNEL_HAS_TIMES
#define HOOK_THREAD(to) AT_THREAD times_enter, to
#else
#define HOOK_THREAD(to)
#endif
#if !KERNEL_HAS_TIMES
#define enter_measured_time denied
#endif
#if !KERNEL_HAS_MARKS
#define enter_measured_stack_left denied
#endif

// Code for the beginning of a switch after an interrupt. The registers still have the values of the
// thread.
#if KERNEL_HAS_SHARES
#include <shares.inc>
#define HOOK_PENDSV SHARES_LOAD
#else
#define HOOK_PENDSV
#endif

// Code that stops the kernel after an error in the kernel itself.
#if KERNEL_HAS_RECORD
#include <panic.inc>
#define HOOK_PANIC PANIC
#else
#define HOOK_PANIC
#endif
#else

#include "process.h"

// Handles a fault with `status` of the kernel: if the kernel wrote to memory that the current
// process only reads, lets it write. Returns false if the fault has another cause.
#if KERNEL_HAS_SHARES
bool shares_open(uint32_t status);
#else
static inline bool shares_open(uint32_t status) {
    (void)status;
    return false;
}
#endif

// Called at the start of the kernel, and after the report of a fault.
#if KERNEL_HAS_TRACE
void trace_start(void);
void trace_fault(const struct thread *thread);
#else
static inline void trace_start(void) {
}
static inline void trace_fault(const struct thread *thread) {
    (void)thread;
}
#endif

// Fills every stack with the mark value, before the first thread is at its entry.
#if KERNEL_HAS_MARKS
void marks_lay(void);
#else
static inline void marks_lay(void) {
}
#endif

// Returns the state of a thread of `process` that is launched with `state`.
#if KERNEL_HAS_BUDGETS
uint32_t budget_launch_state(const struct process *process, uint32_t state);
#else
static inline uint32_t budget_launch_state(const struct process *process, uint32_t state) {
    (void)process;
    return state;
}
#endif

// In this order: returns whether a terminated process is launched again; forgets that its
// supervisor asked for a restart; tells waiting supervisors that the termination is complete;
// returns whether a process has ended and only its supervisor may start it; returns the first
// thread that waits for the termination that `leader` carries out, or NULL.
#if KERNEL_HAS_RESTARTS
bool restart_is_wanted(const struct process *process);
void restart_forget(const struct process *process);
void restart_complete(const struct process *process);
bool restart_is_ended(const struct process *process);
const struct thread *restart_first_caller(const struct thread *leader);
#else
static inline bool restart_is_wanted(const struct process *process) {
    return process->restarts;
}
static inline void restart_forget(const struct process *process) {
    (void)process;
}
static inline void restart_complete(const struct process *process) {
    (void)process;
}
static inline bool restart_is_ended(const struct process *process) {
    (void)process;
    return false;
}
static inline const struct thread *restart_first_caller(const struct thread *leader) {
    (void)leader;
    return NULL;
}
#endif

// Ends the lease of `client`, because its call has ended.
#if KERNEL_HAS_LEASES
void lease_end(const struct thread *client);
#else
static inline void lease_end(const struct thread *client) {
    (void)client;
}
#endif

// Called at the start of the kernel, after the report of a fault, and at each fault in the kernel,
// which may stop the system.
#if KERNEL_HAS_RECORD
void record_start(void);
void record_fault(const struct thread *thread);
void arch_note_panic(uint32_t pc);
#else
static inline void record_start(void) {
}
static inline void record_fault(const struct thread *thread) {
    (void)thread;
}
static inline void arch_note_panic(uint32_t pc) {
    (void)pc;
}
#endif
#endif

#endif
