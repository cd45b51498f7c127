// SPDX-License-Identifier: MIT
//
// Copies words between a thread's memory and the kernel's, with the thread's rights: while MPRV is
// set, loads and stores have the rights of the mode that the call came from (Privileged
// Architecture, 3.1.6.3). Only the copies of a lease have the kernel's rights (options/lease.c); no
// other code in the kernel dereferences an address from a thread. An access that the PMP or the bus
// refuses traps, and the trap continues at arch_copy_refused (entry.S). The trap needs a stack in
// mscratch and changes mepc, so the copies save both registers here.
//
// The copies refuse an address that is not a multiple of 4. So each access lies within
// one entry of the PMP, and an emulator that checks the first byte alone (QEMU 7.2) checks all of
// it.
//
// Copies four words at a time, then one by one. a0: to; a1: from; a2: words. Returns whether it
// copied all words.

#include "optional.h"
#include "layout.h"
#include "save.inc"
#include <regions.h>

    .text

// Begins a copy. t4: MPRV; t5: the saved mepc; t6: the saved mscratch. `address`: the register with
// the thread's address.
.macro BEGIN address
    andi t0, \address, 3
    bnez t0, copy_unaligned
    csrr t5, mepc
    csrrw t6, mscratch, sp
    li t4, MSTATUS_MPRV
    li t3, 4
    bltu a2, t3, 3f
.endm

.macro END
    csrw mscratch, t6
    li a0, 1
    ret
.endm

.macro LOAD_FOUR
    lw t0, 0(a1)
    lw t1, 4(a1)
    lw t2, 8(a1)
    lw a3, 12(a1)
.endm

.macro STORE_FOUR
    sw t0, 0(a0)
    sw t1, 4(a0)
    sw t2, 8(a0)
    sw a3, 12(a0)
.endm

.macro NEXT words
    addi a0, a0, 4 * \words
    addi a1, a1, 4 * \words
    addi a2, a2, -\words
.endm

    .global arch_copies_start, arch_copies_end
arch_copies_start:

FUNCTION arch_copy_in
    BEGIN a1
1:  csrs mstatus, t4
    LOAD_FOUR
    csrc mstatus, t4
    STORE_FOUR
    NEXT 4
    bgeu a2, t3, 1b
    j 3f
2:  csrs mstatus, t4
    lw t0, 0(a1)
    csrc mstatus, t4
    sw t0, 0(a0)
    NEXT 1
3:  bnez a2, 2b
    END

FUNCTION arch_copy_out
    BEGIN a0
1:  LOAD_FOUR
    csrs mstatus, t4
    STORE_FOUR
    csrc mstatus, t4
    NEXT 4
    bgeu a2, t3, 1b
    j 3f
2:  lw t0, 0(a1)
    csrs mstatus, t4
    sw t0, 0(a0)
    csrc mstatus, t4
    NEXT 1
3:  bnez a2, 2b
    END

#if KERNEL_HAS_LEASES
// Copies for a lease, with the kernel's rights: MPRV stays clear. a0: to; a1: from; a2: bytes, not
// 0 if one of the three is not a multiple of 4; otherwise copies words. Returns false if the bus
// has refused an access.
FUNCTION arch_copy_lent
    or t0, a0, a1
    or t0, t0, a2
    andi t0, t0, 3
    csrr t5, mepc
    csrrw t6, mscratch, sp
    li t4, MSTATUS_MPRV
    bnez t0, 4f
    srli a2, a2, 2
    li t3, 4
    bltu a2, t3, 3f
1:  LOAD_FOUR
    STORE_FOUR
    NEXT 4
    bgeu a2, t3, 1b
    j 3f
2:  lw t0, 0(a1)
    sw t0, 0(a0)
    NEXT 1
3:  bnez a2, 2b
    END
4:  lbu t0, 0(a1)
    sb t0, 0(a0)
    addi a0, a0, 1
    addi a1, a1, 1
    addi a2, a2, -1
    bnez a2, 4b
    END
#endif

arch_copies_end:

// Restores MPP and MPIE of the call, because the trap has set MPP to machine mode.
FUNCTION arch_copy_refused
    csrc mstatus, t4
    li t0, MSTATUS_MPP
    csrc mstatus, t0
    li t0, THREAD_MSTATUS
    csrs mstatus, t0
    csrw mepc, t5
    csrw mscratch, t6
copy_unaligned:
    li a0, 0
    ret
