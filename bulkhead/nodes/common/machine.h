// SPDX-License-Identifier: MIT
//
// The registers and the memory of the multi-core system as the kernel uses them: rtl/README.md,
// "What a node sees".
#ifndef NODES_MACHINE_H
#define NODES_MACHINE_H

#include <stdint.h>

#define MACHINE_REGISTER(address) (*(volatile uint32_t *)(address))

// The unit of time in cycles. The timer counts cycles, the same on every node, and a tick is a
// multiple of this unit.
#define UNIT_CYCLES 64
#define TIME_COMPARE_LOW MACHINE_REGISTER(0x02004000 + 8 * nodes_self)
#define TIME_COMPARE_HIGH MACHINE_REGISTER(0x02004004 + 8 * nodes_self)
#define TIME_LOW MACHINE_REGISTER(0x0200bff8)
#define TIME_HIGH MACHINE_REGISTER(0x0200bffc)

// The node's registers. Loading a doorbell register also removes the word or the bits.
#define PENDING MACHINE_REGISTER(0x11000004)
#define BITS MACHINE_REGISTER(0x11000008)
#define NODE_COUNT MACHINE_REGISTER(0x1100000c)
#define WORD_FROM(node) MACHINE_REGISTER(0x11000010 + 4 * (node))

// The lower half of the global memory belongs to the kernel: first the scheduler's part, then the
// bus's part.
#define GLOBAL_MEMORY 0x90000000u
#define GLOBAL_BUS_OFFSET 0x8000
#define LOCK(number) MACHINE_REGISTER(0xa0000000 + 4 * (number))
#define RING_WORD(node) MACHINE_REGISTER(0xb0000000 + 8 * (node))
#define RING_BITS(node) MACHINE_REGISTER(0xb0000004 + 8 * (node))

#define INTERRUPT_SOFTWARE (1u << 3)
#define INTERRUPT_TIMER (1u << 7)
#define INTERRUPT_EXTERNAL (1u << 11)

#define PREVIOUS_MODE (3u << 11) // mstatus.MPP

static inline void machine_enable(uint32_t interrupts) {
    __asm__ volatile("csrs mie, %0" ::"r"(interrupts) : "memory");
}

static inline void machine_disable(uint32_t interrupts) {
    __asm__ volatile("csrc mie, %0" ::"r"(interrupts) : "memory");
}

static inline uint32_t machine_pending(void) {
    uint32_t interrupts;
    __asm__ volatile("csrr %0, mip" : "=r"(interrupts)::"memory");
    return interrupts;
}

// Returns the mode of the code that the trap interrupted.
static inline uint32_t machine_previous_mode(void) {
    uint32_t status;
    __asm__ volatile("csrr %0, mstatus" : "=r"(status));
    return status & PREVIOUS_MODE;
}

// Sleeps until an enabled interrupt is pending. The kernel does not take the interrupt, but polls
// its pending bit.
static inline void machine_wait(void) {
    __asm__ volatile("wfi" ::: "memory");
}

#endif
