// SPDX-License-Identifier: MIT
//
// Definitions for the observer's Armv7-A guests: marks, the GIC and the virtual timer of QEMU's
// `virt` machine. Each guest defines `guest` and `trap`; start.S defines the rest.
#ifndef GUEST_H
#define GUEST_H

#include <bench/mark.h>
#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t *)(address))
#define GICD_CTLR REGISTER(0x08000000)
#define GICD_ISENABLER REGISTER(0x08000100)
#define GICD_ISPENDR REGISTER(0x08000200)
#define GICD_SGIR REGISTER(0x08000F00)
#define GICC_CTLR REGISTER(0x08010000)
#define GICC_PMR REGISTER(0x08010004)
#define GICC_IAR REGISTER(0x0801000C)
#define GICC_EOIR REGISTER(0x08010010)

enum { UNDEFINED = 1, SUPERVISOR_CALL, PREFETCH_ABORT, DATA_ABORT, INTERRUPT = 6 };
enum { REQUESTED_LINE = 3, TIMER = 27 };

#define CALL() __asm__ volatile("svc 0" ::: "memory", "lr")
#define BARRIER() __asm__ volatile("dsb\n\tisb" ::: "memory")
#define UNMASK() __asm__ volatile("cpsie i" ::: "memory")
#define MASK() __asm__ volatile("cpsid i" ::: "memory")

// Admits interrupts inside a handler, which keeps its return state on its own stack.
#define NEST()                                                             \
    __asm__ volatile("mrs r3, spsr\n\tpush {r3, lr}\n\tcpsie i\n\tnop\n\t" \
                     "cpsid i\n\tpop {r3, lr}\n\tmsr spsr_cxsf, r3" ::     \
                         : "r3", "memory")

static inline void enable_interrupts(void) {
    GICD_ISENABLER = 1u << TIMER | 1u << REQUESTED_LINE;
    GICD_CTLR = 1;
    GICC_PMR = 0xFF;
    GICC_CTLR = 1;
}

static inline void request(void) {
    GICD_SGIR = 2u << 24 | REQUESTED_LINE;
    BARRIER();
}

static inline void set_timer(uint32_t counts) {
    __asm__ volatile("mcr p15, 0, %0, c14, c3, 0\n\tmcr p15, 0, %1, c14, c3, 1" ::"r"(counts),
                     "r"(1));
}

static inline void stop_timer(void) {
    __asm__ volatile("mcr p15, 0, %0, c14, c3, 1" ::"r"(0));
}

void guest(void);
void trap(uint32_t vector);

// Each trap begins with this mark, so the log shows each entry on its own.
#define TRAPPED() BENCH_MARK("trapped")

#endif
