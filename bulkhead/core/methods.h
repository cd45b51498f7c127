// SPDX-License-Identifier: MIT
//
// Every system call is one function, a method of an object. It gets the object and, if it has
// arguments, the frame of the caller, and returns the thread to run next, or NO_SWITCH. The result
// in the frame is BULKHEAD_OK unless the method sets another by kernel_fail. Written from
// core/calls by tools/calls.py.
#ifndef KERNEL_METHODS_H
#define KERNEL_METHODS_H

#include "kernel.h"
#include "objects.h"
#include <bulkhead/methods.h>

// The calling thread.
MUST_USE struct thread *self_yield(void);
MUST_USE struct thread *self_exit(void);
MUST_USE struct thread *self_delay(void *unused, struct arch_frame *frame);
MUST_USE struct thread *self_notification_wait(void *unused, struct arch_frame *frame);
MUST_USE struct thread *self_delay_until(void *unused, struct arch_frame *frame);

// The idle thread.
MUST_USE struct thread *kernel_boot(void);
MUST_USE struct thread *idle_work(void *unused, struct arch_frame *frame);
MUST_USE struct thread *idle_sleep(void);

// Other threads.
MUST_USE struct thread *thread_notify(struct thread *thread);
MUST_USE struct thread *thread_resume(struct thread *thread);
MUST_USE struct thread *thread_suspend(struct thread *thread);
MUST_USE struct thread *thread_start(struct thread *thread);
MUST_USE struct thread *thread_set_priority(struct thread *thread, struct arch_frame *frame);
MUST_USE struct thread *thread_join(struct thread *thread, struct arch_frame *frame);

// Semaphores.
MUST_USE struct thread *semaphore_take(struct semaphore *semaphore, struct arch_frame *frame);
MUST_USE struct thread *semaphore_give(struct semaphore *semaphore);

// Mutexes.
MUST_USE struct thread *mutex_lock(struct mutex *mutex, struct arch_frame *frame);
MUST_USE struct thread *mutex_unlock(struct mutex *mutex);

// Queues.
MUST_USE struct thread *queue_send(struct queue *queue, struct arch_frame *frame);
MUST_USE struct thread *queue_receive(struct queue *queue, struct arch_frame *frame);

// Waiting for a queue of one process.
MUST_USE struct thread *local_queue_await(struct local_queue *local_queue,
                                          struct arch_frame *frame);
MUST_USE struct thread *local_queue_wake(struct local_queue *local_queue);

// Event flags.
MUST_USE struct thread *flags_set(struct flags *flags, struct arch_frame *frame);
MUST_USE struct thread *flags_clear(struct flags *flags, struct arch_frame *frame);
MUST_USE struct thread *flags_wait(struct flags *flags, struct arch_frame *frame);

// Calls into another process.
MUST_USE struct thread *gate_call(struct gate *gate);
MUST_USE struct thread *gate_call_timed(struct gate *gate, struct arch_frame *frame);
MUST_USE struct thread *gate_receive(struct gate *gate, struct arch_frame *frame);
MUST_USE struct thread *gate_receive_timed(struct gate *gate, struct arch_frame *frame);
MUST_USE struct thread *gate_call_lending(struct gate *gate, struct arch_frame *frame);
MUST_USE struct thread *gate_lease_read(struct gate *gate, struct arch_frame *frame);
MUST_USE struct thread *gate_lease_write(struct gate *gate, struct arch_frame *frame);

// Pools of blocks.
MUST_USE struct thread *pool_allocate(struct pool *pool, struct arch_frame *frame);
MUST_USE struct thread *pool_free(struct pool *pool, struct arch_frame *frame);

// Timers.
MUST_USE struct thread *alarm_start(struct alarm *timer, struct arch_frame *frame);
MUST_USE struct thread *alarm_stop(struct alarm *timer);

// Interrupts.
MUST_USE struct thread *line_acknowledge(const struct arch_line *interrupt);
MUST_USE struct thread *level_acknowledge(const struct arch_line *interrupt);
MUST_USE struct thread *line_wait(const struct arch_line *interrupt, struct arch_frame *frame);
MUST_USE struct thread *level_wait(const struct arch_line *interrupt, struct arch_frame *frame);

// Processes.
MUST_USE struct thread *process_fault_read(const struct process *process, struct arch_frame *frame);
MUST_USE struct thread *process_restart(const struct process *process);
MUST_USE struct thread *process_end(const struct process *process);
MUST_USE struct thread *process_is_ended(const struct process *process);
MUST_USE struct thread *process_note(const struct process *process, struct arch_frame *frame);

// The record.
MUST_USE struct thread *record_read(const void *record, struct arch_frame *frame);
MUST_USE struct thread *record_reset(const void *record, struct arch_frame *frame);

// Measures of threads.
MUST_USE struct thread *measured_stack_left(const struct measured *measured,
                                            struct arch_frame *frame);
MUST_USE struct thread *measured_time(const struct measured *measured, struct arch_frame *frame);

#endif
