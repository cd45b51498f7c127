// SPDX-License-Identifier: MIT
//
// Entry to the kernel and exit from it: system calls, the switch, interrupts, faults.
//
// A system call has its handle, method and arguments in registers (svc.h). The masked handle is an
// index into the process's table of rights. A right has a table of methods and an object. A method
// receives the object; it returns the thread to run next, or NULL to continue the caller. The
// switch happens here, inside the trap: MRET continues the other thread.
//
// mscratch holds the top of the kernel's stack while a thread runs, and the thread's stack pointer
// while the kernel runs. The kernel's state lies below its stack, at fixed distances from that top.
// A trap comes from a thread, so the stack is empty. mepc and mscratch keep the values of the trap
// until a switch: only a refused copy traps within the kernel (copy.S).
//
// For its thread a call is a function call: it preserves s0 to s11, ra and sp. The other registers
// return no value of another process: the exits from C clear them, because C may have read such
// values, and so does the code that enters another process (switch_process). A fast path without
// such an exit leaves in them words of the called object, of the kernel's lists and of the caller
// itself: addresses in the kernel, and after a wake-up within a process the woken thread's own
// priority.
//
// Code that an ablation replaces (docs/explanation/bulkhead/costs.md) is in separate files, *.inc.
// The compiler finds them in the folders that the build names.
//
// Source: The RISC-V Instruction Set Manual, Volume II (version 20211203), 3.1. Ibex has only
// vectored mode (Ibex user manual, "Exceptions and Interrupts"): entry 0 takes the exceptions.

#include "optional.h"
#include "hooks.h"
#include "layout.h"
#include "save.inc"
#include <bulkhead/methods.h>
#include <lookup.inc>
#include <regions.inc>

    .text
    .option norelax

    .balign 256
    .global arch_vectors
    .option push
    .option norvc
arch_vectors:
    j trap
    j arch_panic
    j arch_panic
    j line_entry // cause 3: the software interrupt
    .rept 3
    j arch_panic
    .endr
    j timer_entry // cause 7: the timer interrupt
    .rept 3
    j arch_panic
    .endr
    j line_entry // cause 11: the external interrupt
    .option pop

// --- Calls ---------------------------------------------------------------------------------------
// t0: the current thread; t1: the object; a0 to a7: as the thread set them. SP: the top of the
// kernel's stack.

FUNCTION trap
    csrrw sp, mscratch, sp
    sw t0, -4(sp)
    csrr t0, mcause
    addi t0, t0, -CAUSE_CALL
    bnez t0, exception
    HOOK_CALL
    lw t0, KERNEL_PROCESS(sp)
    lw t1, KERNEL_RIGHTS_MASK(sp)
    and t1, t1, a0
    add t0, t0, t1
    lw t2, PROCESS_RIGHTS(t0)
    lw t1, PROCESS_RIGHTS + 4(t0)
    ENTER_METHOD

// Returns to the caller. a0: the result.
.macro RETURN
    csrr t0, mepc
    addi t0, t0, 4
    csrw mepc, t0
    csrrw sp, mscratch, sp
    mret
.endm

FUNCTION denied
    li a0, RESULT_DENIED
    RETURN

FUNCTION null
    li a0, 0
    RETURN

// Pends an interrupt. t1: struct arch_line; at interrupt_pend, the number of the line.
FUNCTION line_pend
    lw t1, LINE_NUMBER(t1)
FUNCTION interrupt_pend
    sw zero, FRAME_A0(t0)
    sw ra, FRAME_RA(t0)
    mv a0, t1
    jal arch_line_pend
    j return_to_caller

// Enters a method in C that uses no argument.
.macro ENTER name
    sw zero, FRAME_A0(t0)
    sw ra, FRAME_RA(t0)
    mv a0, t1
    jal \name
    bnez a0, leave
    j return_to_caller
.endm
.macro METHOD name
FUNCTION enter_\name
    ENTER \name
.endm

// Enters a method that uses its first argument.
.macro ENTER_WITH_ARGUMENT name
    sw zero, FRAME_A0(t0)
    sw a2, FRAME_A2(t0)
    sw ra, FRAME_RA(t0)
    mv a0, t1
    mv a1, t0
    jal \name
    bnez a0, leave
    j return_to_caller
.endm
.macro ARGUMENT_METHOD name
FUNCTION enter_\name
    ENTER_WITH_ARGUMENT \name
.endm

// Enters a method in C that uses any of its arguments, in more cycles and fewer bytes of code.
.macro COMPACT_METHOD name
FUNCTION enter_\name
    jal t2, keep_arguments
    jal \name
    j switch_or_return
.endm

// Enters a method in C that carries words (gate.c): the exit loads the words from the frame.
.macro WORDS_METHOD name
FUNCTION enter_\name
    jal t2, keep_words
    jal \name
    bnez a0, leave
    j return_to_caller_with_words
.endm

// Saves all arguments in the frame, because the kernel may make the call start again.
keep_words:
    li t3, 1
    sw t3, FRAME_IS_WHOLE(t0)
    sw a4, FRAME_A4(t0)
    sw a5, FRAME_A5(t0)
    sw a6, FRAME_A6(t0)
    sw a7, FRAME_A7(t0)
keep_arguments:
    sw a0, FRAME_HANDLE(t0)
    sw zero, FRAME_A0(t0)
    sw a1, FRAME_A1(t0)
    sw a2, FRAME_A2(t0)
    sw a3, FRAME_A3(t0)
    sw ra, FRAME_RA(t0)
    mv a0, t1
    mv a1, t0
    jr t2

// --- Fast paths ---------------------------------------------------------------------------------
// They serve objects whose word is in the kernel, when no thread waits and no thread has to wait.
// Each path continues in a C function, which handles all other cases and whose comment defines the
// service.

FUNCTION semaphore_take_free
    lw t2, SEMAPHORE_COUNT(t1)
    addi t2, t2, -1
    bltz t2, enter_semaphore_take
    sw t2, SEMAPHORE_COUNT(t1)
    li a0, 0
    RETURN
    ARGUMENT_METHOD semaphore_take

// A negative count means that threads wait. Compared as an unsigned number, it is above any
// maximum.
FUNCTION semaphore_give_unwaited
    lw t2, SEMAPHORE_COUNT(t1)
    lw t3, SEMAPHORE_MAXIMUM(t1)
    bgeu t2, t3, semaphore_give_to_higher
    addi t2, t2, 1
    sw t2, SEMAPHORE_COUNT(t1)
    li a0, 0
    RETURN
    METHOD semaphore_give

// Wakes the only waiter, if it has no timeout, is not suspended, and never shared its priority with
// another waiter. Its priority must be above that of all ready threads, so that its level is empty
// (core/ready.h). ENTER_WITH_ARGUMENT set the result of the waiter when it called.
// For a semaphore whose word is in a process, the call enters here at once: the process calls the
// kernel only if threads may wait.
FUNCTION local_semaphore_give
semaphore_give_to_higher:
    lw a0, SEMAPHORE_WAITERS(t1)
    beqz a0, enter_semaphore_give
    lw t4, THREAD_STATE(a0)
    lw t2, THREAD_WAIT_LOWER(a0)
    addi t4, t4, -THREAD_STATE_WAITS
    or t2, t2, t4
    lw t3, KERNEL_READY(sp)
    lw t4, THREAD_PRIORITY_MASK(a0)
    bnez t2, enter_semaphore_give
    lw t5, THREAD_LEVEL(a0)
    bgeu t3, t4, enter_semaphore_give
    or t3, t3, t4
    sw t3, KERNEL_READY(sp)
    sw a0, 0(t5)
    lw t3, SEMAPHORE_WORD(t1) // overwrites the mask of the ready priorities in t3
    sw zero, SEMAPHORE_WAITERS(t1)
    sw zero, THREAD_WAITS_IN(a0)
    sw zero, THREAD_STATE(a0)
    sw zero, 0(t3)
    sw zero, FRAME_A0(t0)
    sw ra, FRAME_RA(t0)
    j switch

FUNCTION mutex_lock_free
    lw t2, 0(t1)
    bnez t2, enter_mutex_lock
    sw t0, 0(t1)
    li a0, 0
    RETURN
    ARGUMENT_METHOD mutex_lock

// While threads wait for a mutex, its word differs from the identity of the holder.
FUNCTION mutex_unlock_unwaited
    lw t2, 0(t1)
    bne t2, t0, enter_mutex_unlock
    sw zero, 0(t1) // BULKHEAD_MUTEX_FREE
    li a0, 0
    RETURN
    METHOD mutex_unlock

FUNCTION enter_thread_notify
    lw t2, THREAD_STATE(t1)
    lw t3, THREAD_NOTIFICATIONS(t1)
    andi t2, t2, THREAD_STATE_LISTENS
    bnez t2, 1f
    addi t3, t3, 1
    sw t3, THREAD_NOTIFICATIONS(t1)
    li a0, 0
    RETURN
1:  ENTER thread_notify

FUNCTION enter_self_notification_wait
    lw t2, THREAD_NOTIFICATIONS(t0)
    beqz t2, 1f
    addi t2, t2, -1
    sw t2, THREAD_NOTIFICATIONS(t0)
    li a0, 0
    RETURN
1:  ENTER_WITH_ARGUMENT self_notification_wait

FUNCTION self_yield_to_equal
    lw a0, THREAD_NEXT(t0)
    lw t2, THREAD_LEVEL(t0)
    beq a0, t0, null
    sw a0, 0(t2)
    sw zero, FRAME_A0(t0)
    sw ra, FRAME_RA(t0)
    j switch

#include "method_entries.inc"

switch_or_return:
    bnez a0, leave
return_to_caller:
    CLEAR_WORDS
return_to_caller_after_words:
    CLEAR_CALL
    lw t0, KERNEL_CURRENT(sp)
    lw a0, FRAME_A0(t0)
    lw a2, FRAME_A2(t0)
    lw ra, FRAME_RA(t0)
    RETURN

return_to_caller_with_words:
    lw t0, KERNEL_CURRENT(sp)
    sw zero, FRAME_IS_WHOLE(t0)
    lw a4, FRAME_A4(t0)
    lw a5, FRAME_A5(t0)
    lw a6, FRAME_A6(t0)
    lw a7, FRAME_A7(t0)
    j return_to_caller_after_words

// --- The switch ----------------------------------------------------------------------------------

// Clears the registers that C may have changed and that the switch to a thread of the same process
// does not load. a0: the thread that runs next; t0: the thread that ran. Overwrites t1 and t2.
.macro CLEAR_WITHIN_PROCESS
    lw t1, THREAD_PROCESS(t0)
    lw t2, THREAD_PROCESS(a0)
    bne t1, t2, 1f
    CLEAR_WORDS
    CLEAR_CALL
1:
.endm

// Ends a call that switches; ra is saved. a0: the thread to run.
leave:
    lw t0, KERNEL_CURRENT(sp)
    CLEAR_WITHIN_PROCESS
// Switches from the thread t0 to the thread a0.
FUNCTION switch
    SAVE_PLACE t0, 4
    SAVE_PRESERVED t0
switch_saved:
    HOOK_SWITCH
    HOOK_THREAD(a0)
    lw t1, THREAD_PROCESS(t0)
    lw t2, THREAD_PROCESS(a0)
    sw a0, KERNEL_CURRENT(sp)
    STACK_REGION a0, t0
    bne t1, t2, switch_process
// a0: the thread to restore. The regions of its process are loaded.
FUNCTION arch_restore
    lw t1, FRAME_PC(a0)
    lw t2, FRAME_IS_WHOLE(a0)
    csrw mepc, t1
    csrw mscratch, sp
    bnez t2, restore_whole
    LOAD_PRESERVED a0
    lw ra, FRAME_RA(a0)
    lw sp, FRAME_SP(a0)
    lw a2, FRAME_A2(a0)
    lw a0, FRAME_A0(a0)
    mret

// t2: the process to enter. Clears registers that may have values of the former process.
FUNCTION switch_process
    HOOK_PROCESS(t2)
    sw t2, KERNEL_PROCESS(sp)
    PROCESS_REGIONS t2
    CLEAR_WORDS
    CLEAR_CLOBBERED
    j arch_restore

// Restores every register, and clears is_whole, because the next switch may be in a call.
FUNCTION restore_whole
    sw zero, FRAME_IS_WHOLE(a0)
    LOAD_PRESERVED a0
    lw gp, FRAME_GP(a0)
    lw tp, FRAME_TP(a0)
    mv t0, a0
    lw sp, FRAME_SP(t0)
    LOAD_CLOBBERED
    mret

// --- Interrupts ----------------------------------------------------------------------------------

.macro INTERRUPT name, function
FUNCTION \name
    csrrw sp, mscratch, sp
    sw t0, -4(sp)
    lw t0, KERNEL_CURRENT(sp)
    SAVE_CLOBBERED
    jal \function
    j interrupted
.endm

    INTERRUPT timer_entry, arch_tick_interrupt
    INTERRUPT line_entry, arch_line_interrupt

// a0: the thread to which an interrupt switches, or NULL.
interrupted:
    lw t0, KERNEL_CURRENT(sp)
    bnez a0, preempt
    csrrw sp, mscratch, sp
    LOAD_CLOBBERED
    mret

// Saves a thread that an interrupt stopped. If it was inside a sequence, the sequence has to start
// again (sequences.S).
preempt:
    CLEAR_WITHIN_PROCESS
    li t2, 1
    sw t2, FRAME_IS_WHOLE(t0)
    sw gp, FRAME_GP(t0)
    sw tp, FRAME_TP(t0)
    SAVE_PLACE t0, 0
    SAVE_PRESERVED t0
    la t2, bulkhead_sequences_start
    bltu t1, t2, switch_saved
    la t2, bulkhead_sequences_end
    bgeu t1, t2, switch_saved
// t1: the PC, which lies in the code of the sequences. Each row of the table of sequences has the
// first instruction and the end.
rewind:
    la t2, bulkhead_sequence_table
    la t3, bulkhead_sequence_table_end
1:  lw t4, 0(t2)
    lw t5, 4(t2)
    bltu t1, t4, 2f
    bgeu t1, t5, 2f
    sw t4, FRAME_PC(t0)
2:  addi t2, t2, 8
    bltu t2, t3, 1b
    j switch_saved

// --- Faults --------------------------------------------------------------------------------------

// The thread's t0 is at -4(sp). An exception in machine mode is a refused copy, or an error in the
// kernel.
exception:
    csrr t0, mstatus
    slli t0, t0, 31 - 12 // tests MPP, the mode that the trap came from
    bgez t0, thread_fault
    csrr t0, mepc
    sw t1, -8(sp)
    la t1, arch_copies_start
    bltu t0, t1, 1f
    la t1, arch_copies_end
    bltu t0, t1, arch_copy_refused
1:  lw t1, -8(sp)
    KERNEL_FAULT
thread_fault:
    lw t0, KERNEL_CURRENT(sp)
    SAVE_CLOBBERED
    sw gp, FRAME_GP(t0)
    sw tp, FRAME_TP(t0)
    SAVE_PLACE t0, 0
    SAVE_PRESERVED t0
    jal arch_thread_fault
    lw t0, KERNEL_CURRENT(sp) // kernel_no_thread, whose registers are not saved
    j switch_saved

// --- Start ---------------------------------------------------------------------------------------

// Switches from kernel_no_thread, which is in no process, to the first thread.
FUNCTION arch_enter
    la sp, memory_stack_top
    jal kernel_boot
    lw t0, KERNEL_CURRENT(sp)
    j switch_saved

FUNCTION arch_panic
    HOOK_PANIC
    ebreak
1:  j 1b
