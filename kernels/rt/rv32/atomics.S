// SPDX-License-Identifier: MIT
//
// GCC's atomic operations for a core without the A extension, as libatomic implements them on a
// machine with one processor and its interrupts ("Routines that must be in libatomic", the GCC wiki
// on atomics). Each operation masks interrupts for a few instructions. For machine mode only.

// Defines a function with the address in a0 and the operand in a1, which returns the old value.
.macro FETCH name, load, store, operation:vararg
    .section .text.\name, "ax", @progbits
    .global \name
    .type \name, @function
\name:
    csrrci t0, mstatus, 8
    \load t1, 0(a0)
    \operation
    \store t2, 0(a0)
    csrw mstatus, t0
    mv a0, t1
    ret
    .size \name, . - \name
.endm

    FETCH __atomic_fetch_add_4, lw, sw, add t2, t1, a1
    FETCH __atomic_fetch_sub_4, lw, sw, sub t2, t1, a1
    FETCH __atomic_fetch_and_4, lw, sw, and t2, t1, a1
    FETCH __atomic_fetch_or_4, lw, sw, or t2, t1, a1
    FETCH __atomic_exchange_4, lw, sw, mv t2, a1
    FETCH __atomic_exchange_1, lbu, sb, mv t2, a1
    FETCH __atomic_fetch_add_1, lbu, sb, add t2, t1, a1

// Defines a function with the address in a0, the address of the expected value in a1 and the new
// value in a2, which returns whether it exchanged the value.
.macro COMPARE_EXCHANGE name, load, store
    .section .text.\name, "ax", @progbits
    .global \name
    .type \name, @function
\name:
    csrrci t0, mstatus, 8
    \load t1, 0(a0)
    \load t2, 0(a1)
    bne t1, t2, 1f
    \store a2, 0(a0)
    csrw mstatus, t0
    li a0, 1
    ret
1:  csrw mstatus, t0
    \store t1, 0(a1)
    li a0, 0
    ret
    .size \name, . - \name
.endm

    COMPARE_EXCHANGE __atomic_compare_exchange_4, lw, sw
    COMPARE_EXCHANGE __atomic_compare_exchange_1, lbu, sb
