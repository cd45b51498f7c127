// SPDX-License-Identifier: MIT
//
// Every system call is one function, a method of an object. It gets the object and the frame of the
// caller, and returns the thread to run next, or NO_SWITCH. The result in the frame is BULKHEAD_OK
// unless the method sets another by kernel_fail. arch/*/methods.S makes the tables that a right
// points to.
#ifndef KERNEL_METHODS_H
#define KERNEL_METHODS_H

#include "kernel.h"
#include "objects.h"
#include <bulkhead/methods.h>

// Calls of a thread for itself.
MUST_USE struct thread *self_yield(void);
MUST_USE struct thread *self_exit(void);
MUST_USE struct thread *self_delay(void *unused, struct arch_frame *frame);             // ticks
MUST_USE struct thread *self_notification_wait(void *unused, struct arch_frame *frame); // timeout
MUST_USE struct thread *self_delay_until(void *unused, struct arch_frame *frame);       // tick

MUST_USE struct thread *thread_notify(struct thread *thread);
MUST_USE struct thread *thread_resume(struct thread *thread);
MUST_USE struct thread *thread_suspend(struct thread *thread);
MUST_USE struct thread *thread_start(struct thread *thread);
MUST_USE struct thread *thread_set_priority(struct thread *thread, struct arch_frame *frame);
MUST_USE struct thread *thread_join(struct thread *thread, struct arch_frame *frame); // timeout

MUST_USE struct thread *semaphore_take(struct semaphore *semaphore,
                                       struct arch_frame *frame); // timeout
MUST_USE struct thread *semaphore_give(struct semaphore *semaphore);

MUST_USE struct thread *mutex_lock(struct mutex *mutex, struct arch_frame *frame); // timeout
MUST_USE struct thread *mutex_unlock(struct mutex *mutex);

// Message, timeout.
MUST_USE struct thread *queue_send(struct queue *queue, struct arch_frame *frame);
MUST_USE struct thread *queue_receive(struct queue *queue, struct arch_frame *frame);
// The end of both if the caller may not read or write the message.
MUST_USE struct thread *queue_refuse(struct queue *queue);

// Side, timeout.
MUST_USE struct thread *local_queue_await(struct local_queue *queue, struct arch_frame *frame);
MUST_USE struct thread *local_queue_wake(struct local_queue *queue);

// Flags, timeout.
MUST_USE struct thread *flags_wait(struct flags *flags, struct arch_frame *frame);
MUST_USE struct thread *flags_set(struct flags *flags, struct arch_frame *frame);
MUST_USE struct thread *flags_clear(struct flags *flags, struct arch_frame *frame);

// Words: arch_words_copy.
MUST_USE struct thread *gate_call(struct gate *gate);
MUST_USE struct thread *gate_call_timed(struct gate *gate, struct arch_frame *frame); // timeout
MUST_USE struct thread *gate_receive(struct gate *gate, struct arch_frame *frame);
MUST_USE struct thread *gate_receive_timed(struct gate *gate, struct arch_frame *frame); // timeout

MUST_USE struct thread *pool_allocate(struct pool *pool, struct arch_frame *frame); // timeout
MUST_USE struct thread *pool_free(struct pool *pool, struct arch_frame *frame);     // address

MUST_USE struct thread *alarm_start(struct alarm *alarm, struct arch_frame *frame); // first, period
MUST_USE struct thread *alarm_stop(struct alarm *alarm);

// Interrupts that are delivered to a driver.
MUST_USE struct thread *line_acknowledge(const struct arch_line *line);
MUST_USE struct thread *line_wait(const struct arch_line *line,
                                  struct arch_frame *frame); // timeout
MUST_USE struct thread *level_acknowledge(const struct arch_line *line);
MUST_USE struct thread *level_wait(const struct arch_line *line,
                                   struct arch_frame *frame); // timeout

MUST_USE struct thread *process_fault_read(const struct process *process, struct arch_frame *frame);

// Calls of the kernel's own process: the start-up code makes the first, the idle thread the others.
MUST_USE struct thread *kernel_boot(void);
MUST_USE struct thread *idle_work(void *unused, struct arch_frame *frame);
MUST_USE struct thread *idle_sleep(void);

#endif
