// SPDX-License-Identifier: MIT
//
// Entry to the kernel and exit from it: system calls, the switch, faults.
//
// A system call reads its handle, method and arguments from the frame that the processor stacked,
// because an exception that was taken first may have changed the registers (DDI 0403E, B1.5.8). The
// masked handle is an index into the process's table of rights. A right has a table of methods and
// an object. A method receives the object and the frame; it returns the thread to run next, or NULL
// to continue the caller. The switch happens here, inside the exception: the exception return
// continues the other thread.
//
// A call comes from a thread, so the kernel's stack is empty: SP is memory_stack_top, where the
// kernel's state begins (layout.ld). The code reaches the state by SP, without loading an address.
//
// Code that an ablation replaces (docs/explanation/bulkhead/costs.md) is in separate files, *.inc.
// The compiler finds them in the folders that the build names. The files exit.inc, queue.inc,
// waits.inc and gate.inc are parts of this one: a table branch to a method needs all of them in one
// file.

#include "optional.h"
#include "function.inc"
#include "hooks.h"
#include "layout.h"
#include "short_cuts.h"
#include <bulkhead/methods.h>
#include <highest.inc>
#include <lookup.inc>
#include <regions.inc>
#include <switch.inc>
#include <unit.inc>

    .syntax unified
    .thumb
    .text

    .equ NVIC_STIR, 0xE000EF00
    .equ PENDSV, 14 // the tick and the interrupts have greater numbers

// Begins code that only this file and the files that it includes jump to. The code has its own
// symbol, for the tables and for debuggers. The symbol is local, so that the assembler chooses
// short branches.
.macro PART name
    .thumb_func
    .type \name, %function
\name:
.endm
.macro END name
    .size \name, . - \name
.endm

// Enters a method in C. The code has to be near `leave`, which CBNZ must reach. r0: the object; r1:
// the frame; lr: EXC_RETURN.
.macro SWITCHING_METHOD name
PART enter_\name
    push {r1, lr}
    bl \name
    cbnz r0, leave
    pop {r1, pc}
.endm

// Enters a method in C as SWITCHING_METHOD does, with one more branch and four bytes less.
.macro COMPACT_METHOD name
PART enter_\name
    push {r1, lr}
    bl \name
    b answered
.endm

// Enters a method in C that may defer work until after the call.
.macro DEFERRING_METHOD name
PART enter_\name
    push {r1, lr}
    bl \name
    b answered_after_work
.endm

// Enters a method in C that carries the four words of a call (gate.c).
.macro WORDS_METHOD name
PART enter_\name
    push {r1, lr}
    bl keep_words
    bl \name
    b answered_in_words
.endm

// Calls a function of hooks.h with the value of `register`, and preserves every register.
.macro HOOK function, register
    push {r0-r3, r12, lr}
    mov r0, \register
    bl \function
    pop {r0-r3, r12, lr}
.endm

.macro HOOK_AT_CALL function
    HOOK \function, r1
.endm

// Calls a function of hooks.h with interrupts masked: an interrupt can interrupt PendSV, and the
// function reads whole lists.
.macro HOOK_AT_SWITCH function
    cpsid i
    HOOK \function, r0
    cpsie i
.endm

#include "exit.inc"

// --- The call ------------------------------------------------------------------------------------

FUNCTION SVC_Handler
    mrs r1, psp
    HOOK_CALL
    ldrd r0, r12, [r1, #FRAME_R1]
    ldrd r2, r3, [sp, #KERNEL_PROCESS] // r2: the process; r3: the mask of handles
    and r0, r0, r3
    add r2, r2, r0, lsl #3 // a right has BULKHEAD_RIGHT_BYTES = 8 bytes
    ldrd r2, r0, [r2, #PROCESS_RIGHTS]
    and r12, r12, #BULKHEAD_METHODS - 1
    ENTER_METHOD

PART denied
    movs r2, #RESULT_DENIED
    str r2, [r1, #FRAME_R0]
PART null
    bx lr

// Pends an interrupt. r0 is a struct arch_line for line_pend, and the number of the line for
// interrupt_pend.
PART line_pend
    ldr r0, [r0, #LINE_NUMBER]
PART interrupt_pend
    ldr r2, =NVIC_STIR
    str r0, [r2]
    bx lr

// Stores the bit of the line r0 to the register that lies `distance` bytes after the one that
// enables the line.
// Overwrites r2 and r3.
.macro LINE_STORE distance
    ldrd r2, r3, [r0]
    str r3, [r2, \distance]
.endm

// Acknowledges a level-triggered line: unmasks it, and first clears its pending state, because its
// device may have asserted it until now (core/interrupt.c).
PART enter_level_acknowledge
    LINE_STORE #LINE_FORGET
PART enter_line_acknowledge
    LINE_STORE #LINE_UNMASK
    bx lr

// --- Fast paths ---------------------------------------------------------------------------------
// They serve objects whose word is in the kernel, when no thread waits and no thread has to wait.
// Each path continues in a C function, which handles all other cases and whose comment defines the
// service.

PART semaphore_take_free
    ldr r2, [r0]
    subs r2, r2, #1
    blt semaphore_take_empty
    str r2, [r0]
    bx lr
    COMPACT_METHOD semaphore_take

// A negative count means that threads wait. Compared as an unsigned number, it is above any
// maximum.
PART semaphore_give_unwaited
    ldrd r2, r3, [r0]
    cmp r2, r3
    bhs local_semaphore_give
    adds r2, r2, #1
    str r2, [r0]
    bx lr
    COMPACT_METHOD semaphore_give

PART mutex_lock_free
    ldr r2, [r0]
    cbnz r2, 1f
    ldr r2, [sp, #KERNEL_CURRENT]
    str r2, [r0]
    bx lr
1:  COMPACT_METHOD mutex_lock

// While threads wait for a mutex, its word differs from the identity of the holder.
PART mutex_unlock_unwaited
    ldr r2, [r0]
    ldr r3, [sp, #KERNEL_CURRENT]
    cmp r2, r3
    bne 1f
    movs r2, #0 // BULKHEAD_MUTEX_FREE
    str r2, [r0]
    bx lr
1:  COMPACT_METHOD mutex_unlock

// r1: the frame of the caller, whose address is also the stack pointer that the switch saves.
PART self_yield_to_equal
    ldr r2, [sp, #KERNEL_CURRENT]
    ldr r0, [r2, #THREAD_NEXT]
    ldr r3, [r2, #THREAD_LEVEL]
    cmp r0, r2
    beq 1f
    str r0, [r3]
    SWITCH_TO equal
1:  bx lr

#include "queue.inc"

// While threads may wait for flags, bit 31 of the word is set.
PART flags_set_unwaited
    ldr r2, [r0]
    cmp r2, #0
    blt 1f
    ldr r3, [r1, #FRAME_R3]
    orr r2, r2, r3
    bic r2, r2, #0x80000000 // BULKHEAD_FLAGS_WAITED
    str r2, [r0]
    bx lr
1:  DEFERRING_METHOD flags_set

PART flags_take_any_set
    ldr r2, [r0]
    ldr r3, [r1, #FRAME_R3]
    cmp r2, #0
    blt enter_flags_wait
    tst r2, r3
    beq enter_flags_wait
flags_take:
    bic r3, r2, r3
    str r3, [r0]
    str r2, [r1, #FRAME_R3]
    bx lr

PART flags_take_all_set
    ldr r2, [r0]
    ldr r3, [r1, #FRAME_R3]
    cmp r2, #0
    blt enter_flags_wait
    bics r12, r3, r2
    beq flags_take
    COMPACT_METHOD flags_wait

PART pool_allocate_free
    ldr r2, [r0] // r2: the first free block
    movw r12, #POOL_LAST
    cmp r2, r12
    beq 1f
    ldr r3, [r0, #POOL_LINKS]
    ldrh r12, [r3, r2, lsl #1]
    str r12, [r0]
    movw r12, #POOL_USED
    strh r12, [r3, r2, lsl #1]
    ldrd r3, r12, [r0, #POOL_START] // r3: the start of the pool; r12: the bytes of a block
    mla r2, r2, r12, r3
    str r2, [r1, #FRAME_R3]
    bx lr
1:  COMPACT_METHOD pool_wait

// Frees a block. Its address has to be that of a block of the pool, and the block has to be
// allocated. r1: the address, which is read once (kernel.h: pool_hand_over); r3: the index of the
// block.
PART pool_free_unwaited
    ldr r1, [r1, #FRAME_R3]
    ldrd r3, r12, [r0, #POOL_START] // r3: the start of the pool; r12: the bytes of a block
    subs r2, r1, r3
    udiv r3, r2, r12
    mls r2, r3, r12, r2
    cbnz r2, 1f
    ldr r2, [r0, #POOL_BLOCKS]
    cmp r3, r2
    bhs 1f
    ldr r2, [r0, #POOL_LINKS]
    ldrh r12, [r2, r3, lsl #1]
    add r12, r12, #0x10000 - POOL_USED
    cmp r12, #0x10000
    bne 1f
    ldr r12, [r0, #POOL_WAITERS]
    cmp r12, #0
    bne enter_pool_hand_over
    ldr r12, [r0]
    strh r12, [r2, r3, lsl #1]
    str r3, [r0]
    bx lr
1:  movs r2, #RESULT_REFUSED
    mrs r1, psp
    str r2, [r1, #FRAME_R0]
    bx lr
PART enter_pool_hand_over
    mrs r2, psp
    push {r2, lr}
    bl pool_hand_over
    b answered
END enter_pool_hand_over

    .global enter_queue_refuse // the method is in copy.S
    COMPACT_METHOD queue_refuse

#include "method_entries.inc"

// The idle thread calls this for deferred work. More deferred work commonly follows, and then no
// switch is needed.
PART enter_idle_work
    push {r1, lr}
    bl idle_work
    ldr r2, [sp, #8 + KERNEL_CURRENT]
    cmp r0, r2
    bne leave_unless_interrupted
    pop {r1, pc}

// Leaves the switch to PendSV if an interrupt is pending: the interrupt is taken at once and may
// wake a thread of a higher priority.
PART answered_after_work
    cbz r0, 1f
leave_unless_interrupted:
    ldr r2, =ICSR
    ldr r3, [r2]
    ubfx r3, r3, #12, #9 // VECTPENDING
    cmp r3, #PENDSV
    bls leave
    mov r3, #ICSR_PENDSVSET
    str r3, [r2]
1:  pop {r1, pc}
END answered_after_work

// --- The switch ----------------------------------------------------------------------------------

// Saves the words of the current thread, r8 to r11, in its context while a C method that carries
// them runs.
PART keep_words
    ldr r2, [sp, #8 + KERNEL_CURRENT]
    add r2, r2, #CONTEXT_WORDS
    stmia r2, {r8-r11}
    bx lr
END keep_words

PART answered_in_words
    ldr r2, [sp, #8 + KERNEL_CURRENT]
    add r2, r2, #CONTEXT_WORDS
    ldmia r2, {r8-r11}
answered:
    cbnz r0, leave
    pop {r1, pc}
END answered_in_words

// Ends a call that switches. r0: the thread to run; on the stack: the caller's stack pointer,
// EXC_RETURN. `leave` and `switch` are targets of branches. They begin at a word, because a branch
// to an instruction that lies in two words may wait for the second word.
    .balign 4
PART leave
    pop {r1, lr}
    ldr.w r2, [sp, #KERNEL_CURRENT]
END leave
// Switches from the thread r2 to the thread r0. r1: the stack pointer of r2; lr: EXC_RETURN. SP:
// the kernel's state.
PART switch
    SWITCH
switch_saved:
    SAVE_FLOATS
    .global arch_fpu_saved
arch_fpu_saved:
    CHANGE_THREAD
END switch
PART restore
    RESTORE
END restore

// Enters the process r2 and restores its thread. The code of `restore` is repeated, because a
// branch to it costs two cycles.
PART switch_process
    HOOK_PROCESS(r2)
    str r2, [sp, #KERNEL_PROCESS]
    UNIT_MASK
    PROCESS_REGIONS r2, r12
    UNIT_UNMASK
END switch_process
PART restore_after_process
    RESTORE
END restore_after_process

// PendSV: switches to the highest ready thread after interrupts, if that is not the current thread.
// If the current thread was stopped inside a restartable sequence, the sequence has to start again
// (sequences.S). This exception has the lowest priority, so the kernel's stack is empty here too.
    .balign 4
FUNCTION PendSV_Handler
    HOOK_PENDSV
    mrs r1, psp
    HIGHEST
    ldr r2, [sp, #KERNEL_CURRENT]
    cmp r0, r2
    beq 3f
    stmia r2, {r1, r4-r11, lr}
    ldr r4, [r1, #FRAME_PC]
    ldr r5, =bulkhead_sequences_start
    ldr r6, =bulkhead_sequences_end
    cmp r4, r5
    blo switch_saved
    cmp r4, r6
    bhs switch_saved
// r1: the frame; r4: its PC, which lies in the code of the sequences. Each row of the table of
// sequences has the first instruction, the end, and the address to restart at. If the processor
// stopped in the middle of an LDM or STM, the ICI bits of xPSR name the register at which that
// instruction continues (DDI 0403E, B1.4.2). They must not apply to the instruction at the new PC.
PART rewind
    ldr r5, =bulkhead_sequence_table
    ldr r9, =bulkhead_sequence_table_end
1:  ldmia r5!, {r6, r7, r8}
    cmp r4, r6
    blo 2f
    cmp r4, r7
    bhs 2f
    str r8, [r1, #FRAME_PC]
    ldr r6, [r1, #FRAME_XPSR]
    bic r6, r6, #XPSR_ICI_HIGH
    bic r6, r6, #XPSR_ICI_LOW
    str r6, [r1, #FRAME_XPSR]
    b.w switch_saved // with 4 bytes, so that the paths after it keep their places in words
2:  cmp r5, r9
    blo 1b
    b switch_saved
3:  bx lr
END rewind

#include "waits.inc"
#include <gate.inc>

// --- Faults --------------------------------------------------------------------------------------

// Handles all faults. A breakpoint without a debugger, and a fault whose own handler cannot be
// entered, escalate to HardFault. At a fault of a thread the kernel's stack is empty, with one
// exception: if the thread's frame was invalid for an exception return, QEMU has stacked another
// frame on the kernel's stack.
FUNCTION HardFault_Handler
FUNCTION MemManage_Handler
FUNCTION BusFault_Handler
FUNCTION UsageFault_Handler
    tst lr, #EXC_RETURN_THREAD
    beq 1f
thread_at_fault:
    ldr r0, =memory_stack_top
    mov sp, r0
    mrs r1, psp
    ldr r2, [sp, #KERNEL_CURRENT]
    stmia r2, {r1, r4-r11}
    // space for a frame that is of no thread, because the thread's frame may be invalid
    sub r1, sp, #FRAME_BYTES
    msr psp, r1
    push {r1, lr}
    bl arch_thread_fault
    cpsie i
    ldr r2, =ICSR
    mov r3, #ICSR_PENDSVSET
    str r3, [r2]
    dsb // PendSV or an interrupt is taken before the return, so the frame is not used
    pop {r1, pc}
1:  mov r0, sp
    b arch_kernel_fault

// Ends a thread whose floating-point registers could not be stacked when the kernel switched to
// another thread. This code runs at the priority of that call or of PendSV, not at the priority of
// a fault, so it masks interrupts first.
FUNCTION arch_abandon_thread
    cpsid i
    mvn lr, #0x12 // EXC_RETURN with floating-point registers, so that they are cleared
    b thread_at_fault

// --- Start ---------------------------------------------------------------------------------------

// Makes the first system call. The process stack pointer has to point to memory, for the frame of
// this call, from which nothing returns.
FUNCTION arch_enter
    ldr r0, =memory_stack_top
    sub r1, r0, #256
    msr psp, r1
    movs r1, #2 // CONTROL.SPSEL
    msr control, r1
    isb
    msr msp, r0
    cpsie i
    movs r1, #BULKHEAD_SELF // the handle of the idle thread itself
    movs r2, #BULKHEAD_IDLE_BOOT
    svc 0
FUNCTION arch_panic
    HOOK_PANIC
    bkpt 0
    b arch_panic

    .ltorg

// --- The tables of methods that rights point to --------------------------------------------------

    .section .rodata.methods, "a", %progbits
    .balign 4

#include "method_tables.inc"
