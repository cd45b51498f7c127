// SPDX-License-Identifier: MIT
//
// The tables of methods that rights point to: for each kind of object, and for each share of what
// can be done with it, the entries in entry.S by the numbers of bulkhead/methods.h.
//
// The methods of an object whose word is the kernel's own, and of a queue of four-word messages,
// begin with the shortest case, in assembler; the others do not.

#include <bulkhead/methods.h>
#include <lookup.inc>
#include <switch.inc>

    .syntax unified
    .thumb
    .section .rodata.methods, "a", %progbits
    .balign 4

    METHODS no_methods
    METHODS boot_methods, enter_kernel_boot
    METHODS tickless_boot_methods, enter_kernel_boot, enter_idle_sleep
    METHODS self_methods, null, self_yield_to_equal, enter_self_exit, enter_self_delay, \
            enter_self_notification_wait, enter_self_delay_until

    METHODS notified_thread_methods, enter_thread_notify
    METHODS controlled_thread_methods, denied, enter_thread_resume, enter_thread_suspend, \
            enter_thread_start, enter_thread_set_priority, enter_thread_join
    METHODS thread_methods, enter_thread_notify, enter_thread_resume, enter_thread_suspend, \
            enter_thread_start, enter_thread_set_priority, enter_thread_join

    METHODS semaphore_methods, semaphore_take_free, semaphore_give_unwaited
    METHODS local_semaphore_methods, enter_semaphore_take, enter_semaphore_give
    METHODS mutex_methods, mutex_lock_free, mutex_unlock_unwaited
    METHODS local_mutex_methods, enter_mutex_lock, enter_mutex_unlock
    METHODS queue_methods, enter_queue_send, enter_queue_receive
    METHODS four_word_queue_methods, queue_send_four, queue_receive_four
    METHODS local_queue_methods, enter_local_queue_await, enter_local_queue_wake

    METHODS process_methods, enter_process_fault_read
    METHODS interrupt_methods, interrupt_pend

    METHODS flags_methods, enter_flags_set, enter_flags_clear, enter_flags_wait, \
            enter_flags_wait, enter_flags_wait, enter_flags_wait
    METHODS gate_methods, GATE_CALL, enter_gate_call_timed, GATE_RECEIVE, \
            enter_gate_receive_timed
    METHODS called_gate_methods, GATE_CALL, enter_gate_call_timed
    METHODS pool_methods, enter_pool_allocate, enter_pool_free
    METHODS alarm_methods, enter_alarm_start, enter_alarm_stop
    METHODS edge_methods, denied, enter_line_acknowledge, enter_line_wait
    METHODS level_methods, denied, enter_level_acknowledge, enter_level_wait
    METHODS edge_loop_methods, line_pend, enter_line_acknowledge, enter_line_wait
    METHODS level_loop_methods, line_pend, enter_level_acknowledge, enter_level_wait
