// SPDX-License-Identifier: MIT
//
// Into the kernel and out of it: system calls, the switch, faults.
//
// A system call finds its number and its arguments in the frame that the processor stacked: the
// registers themselves may have been changed by an exception that came first (DDI 0403E, B1.5.8).
// The call's function gets the frame and the arguments, and returns the thread to run next, or NULL
// to go on. The switch is made here, inside the exception: what follows the exception return is the
// other thread.
//
// An exception return orders everything before it (DDI 0403E, B1.5.8), so that new regions need no
// ISB; the DSB makes the stores to the MPU complete.

#include "layout.h"
#include <bulkhead/calls.h>

    .syntax unified
    .thumb
    .text

    .equ MPU_RBAR, 0xE000ED9C

.macro FUNCTION name
    .global \name
    .thumb_func
    .type \name, %function
\name:
.endm

// Runs a call. r0: the frame; r1 to r3: its arguments; lr: EXC_RETURN.
.macro CALL name
\name\()_stub:
    push {r0, lr}
    bl \name
    cbnz r0, 1f
    pop {r0, pc}
1:  b leave
.endm

// A call that never switches: its return is the exception's.
.macro CALL_WITHOUT_SWITCH name
\name\()_stub:
    b \name
.endm

FUNCTION SVC_Handler
    mrs r0, psp
    ldmia r0, {r1, r2, r3, r12}
    cmp r12, #BULKHEAD_CALLS
    bhs unknown
    tbh [pc, r12, lsl #1]
stubs:
    .hword (null - stubs) / 2
    .hword (call_yield_stub - stubs) / 2
    .hword (call_resume_stub - stubs) / 2
    .hword (call_suspend_stub - stubs) / 2
    .hword (call_start_stub - stubs) / 2
    .hword (call_exit_stub - stubs) / 2
    .hword (call_delay_stub - stubs) / 2
    .hword (call_set_priority_stub - stubs) / 2
    .hword (call_notify_stub - stubs) / 2
    .hword (call_notification_wait_stub - stubs) / 2
    .hword (call_semaphore_take_stub - stubs) / 2
    .hword (call_semaphore_give_stub - stubs) / 2
    .hword (call_mutex_lock_stub - stubs) / 2
    .hword (call_mutex_unlock_stub - stubs) / 2
    .hword (call_queue_send_stub - stubs) / 2
    .hword (call_queue_receive_stub - stubs) / 2
    .hword (call_interrupt_pend_stub - stubs) / 2
    .hword (call_queue_await_stub - stubs) / 2
    .hword (call_queue_wake_stub - stubs) / 2
    .hword (call_boot_stub - stubs) / 2
stubs_end:
    .if (stubs_end - stubs) / 2 - BULKHEAD_CALLS
    .error "one stub for each system call: calls.h"
    .endif

null:
    bx lr

unknown:
    movs r1, #2 // BULKHEAD_REFUSED
    str r1, [r0, #FRAME_R0]
    bx lr

    CALL call_yield
    CALL call_resume
    CALL call_suspend
    CALL call_notify
    CALL call_notification_wait
    CALL call_semaphore_take
    CALL call_semaphore_give
    CALL call_mutex_lock
    CALL call_mutex_unlock
    CALL call_queue_send
    CALL call_queue_receive
    CALL_WITHOUT_SWITCH call_interrupt_pend
    CALL call_queue_await
    CALL call_queue_wake
    CALL call_delay
    CALL call_start
    CALL call_exit
    CALL call_set_priority
    CALL call_boot

// --- The switch ----------------------------------------------------------------------------------

// From a call. r0: the thread to run; on the stack: the frame, EXC_RETURN.
leave:
    pop {r2, lr}
    ldr r3, =kernel
    ldr r1, [r3, #KERNEL_CURRENT]
// r0: to; r1: from; r2: its stack pointer; r3: the kernel; lr: EXC_RETURN.
switch:
    stmia r1, {r2, r4-r11, lr}
switch_saved:
    tst lr, #EXC_RETURN_BASIC_FRAME
    beq arch_fpu_save
    .global arch_fpu_saved
arch_fpu_saved:
    str r0, [r3, #KERNEL_CURRENT]
    ldr r1, [r1, #THREAD_PROCESS]
    ldr r2, [r0, #THREAD_PROCESS]
    cmp r1, r2
    bne switch_process
restore:
    ldr r3, =MPU_RBAR
    ldrd r1, r2, [r0, #CONTEXT_STACK]
    strd r1, r2, [r3]
    ldr r2, [r0], #4
    msr psp, r2
    dsb
    ldmia r0, {r4-r11, pc}

// r2: the process to enter. Four regions by RBAR, RASR and their aliases (DDI 0403E, B3.5.10).
switch_process:
    str r2, [r3, #KERNEL_PROCESS]
    ldr r1, =MPU_RBAR
    ldmia r2, {r4-r11}
    stmia r1, {r4-r11}
    b restore

// After interrupts: the highest thread, if that is another one. It was stopped anywhere, so also
// within a sequence that must begin again (sequences.S).
FUNCTION PendSV_Handler
    ldr r3, =kernel
    mrs r2, psp
    ldr r0, [r3, #KERNEL_BITMAP]
    add r1, r3, #KERNEL_HEADS
    clz r0, r0
    ldr r0, [r1, r0, lsl #2]
    ldr r1, [r3, #KERNEL_CURRENT]
    cmp r0, r1
    beq 1f
    stmia r1, {r2, r4-r11, lr}
    ldr r4, [r2, #FRAME_PC]
    ldr r5, =bulkhead_sequences_start
    ldr r6, =bulkhead_sequences_end
    cmp r4, r5
    blo switch_saved
    cmp r4, r6
    blo rewind
    b switch_saved
1:  bx lr

// r2: the frame; r4: its PC, in the code of the sequences. A row: first instruction, end, where to
// begin.
rewind:
    ldr r5, =bulkhead_sequence_table
    ldr r9, =bulkhead_sequence_table_end
1:  ldmia r5!, {r6, r7, r8}
    cmp r4, r6
    blo 2f
    cmp r4, r7
    it lo
    strlo r8, [r2, #FRAME_PC]
2:  cmp r5, r9
    blo 1b
    b switch_saved

// --- Faults --------------------------------------------------------------------------------------

// A breakpoint without a debugger and a fault that may not be taken come as hard faults.
FUNCTION HardFault_Handler
FUNCTION MemManage_Handler
FUNCTION BusFault_Handler
FUNCTION UsageFault_Handler
    tst lr, #EXC_RETURN_THREAD
    beq 1f
    mrs r0, psp
    push {r0, lr}
    bl arch_thread_fault
    b leave
1:  mov r0, sp
    b arch_kernel_fault

// A thread whose floating-point registers could not be stacked, in the middle of leaving it.
FUNCTION arch_abandon_thread
    ldr r0, =memory_stack_top
    mov sp, r0
    mrs r0, psp
    mvn lr, #2 // EXC_RETURN: thread mode, process stack, basic frame
    push {r0, lr}
    bl kernel_fault
    b leave

// --- Start ---------------------------------------------------------------------------------------

// The process stack has to be somewhere for the frame of the first call, which nobody comes back
// to.
FUNCTION arch_enter
    ldr r0, =memory_stack_top
    sub r1, r0, #256
    msr psp, r1
    movs r1, #2 // CONTROL.SPSEL
    msr control, r1
    isb
    msr msp, r0
    cpsie i
    movs r3, #BULKHEAD_CALL_BOOT
    svc 0
FUNCTION arch_panic
    bkpt 0
    b arch_panic

    .ltorg
