// SPDX-License-Identifier: MIT
//
// Every system call is one function: it gets the caller's frame and arguments, leaves its result in
// the frame, and returns which thread is to run. One that never switches returns nothing. entry.S
// calls them by number.
#ifndef KERNEL_CALLS_H
#define KERNEL_CALLS_H

#include "kernel.h"
#include <bulkhead/calls.h>

MUST_USE decision call_yield(struct arch_frame *frame);
MUST_USE decision call_resume(struct arch_frame *frame, uint32_t handle);
MUST_USE decision call_suspend(struct arch_frame *frame, uint32_t handle);
MUST_USE decision call_start(struct arch_frame *frame, uint32_t handle);
MUST_USE decision call_exit(struct arch_frame *frame);
MUST_USE decision call_delay(struct arch_frame *frame, uint32_t ticks);
MUST_USE decision call_set_priority(struct arch_frame *frame, uint32_t handle, uint32_t priority);
MUST_USE decision call_notify(struct arch_frame *frame, uint32_t handle);
MUST_USE decision call_notification_wait(struct arch_frame *frame, uint32_t timeout_ticks);
MUST_USE decision call_semaphore_take(struct arch_frame *frame, uint32_t handle,
                                      uint32_t timeout_ticks);
MUST_USE decision call_semaphore_give(struct arch_frame *frame, uint32_t handle);
MUST_USE decision call_mutex_lock(struct arch_frame *frame, uint32_t handle,
                                  uint32_t timeout_ticks);
MUST_USE decision call_mutex_unlock(struct arch_frame *frame, uint32_t handle);
MUST_USE decision call_queue_send(struct arch_frame *frame, uint32_t handle,
                                  struct user_pointer message, uint32_t timeout_ticks);
MUST_USE decision call_queue_receive(struct arch_frame *frame, uint32_t handle,
                                     struct user_pointer message, uint32_t timeout_ticks);
void call_interrupt_pend(struct arch_frame *frame, uint32_t lines);
MUST_USE decision call_queue_await(struct arch_frame *frame, uint32_t handle, uint32_t side,
                                   uint32_t timeout_ticks);
MUST_USE decision call_queue_wake(struct arch_frame *frame, uint32_t handle);
MUST_USE decision call_boot(struct arch_frame *frame);

#endif
