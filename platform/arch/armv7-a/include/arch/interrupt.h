// SPDX-License-Identifier: MIT
//
// Interrupts requested by software: 16 lines, the software-generated interrupts (SGI) 0 to 15 of
// the GIC, which no device drives.
//
// All interrupts enter the processor by one vector. The kernel's entry code reads the number from
// GICC_IAR and calls arch_interrupt_serve(), which calls the handler of the line,
// `Interrupt<n>_Handler`, or that of the tick, `SysTick_Handler`. The kernel's port defines these
// handlers. The kernel's entry code then writes GICC_EOIR.
//
// Sources: Arm Generic Interrupt Controller Architecture Specification (IHI 0048B), 4.3.15
// GICD_SGIR; Armv7-A Architecture Reference Manual (DDI 0406C), B1.3.3 CPSR.
#ifndef ARCH_INTERRUPT_H
#define ARCH_INTERRUPT_H

#include <arch/machine.h>
#include <arch/modes.h>
#include <stdbool.h>
#include <stdint.h>

#define ARCH_INTERRUPT_LINES 16u

// The priority of the lines: above that of the tick, below those that some kernels cannot mask.
#define ARCH_INTERRUPT_PRIORITY 0xa0u

#define ARCH_CPSR_MODE 0x1fu

// Enables the interrupt controller. Called by the start-up code.
void arch_interrupts_begin(void);

// Enables the interrupt `number` of the GIC (0 to 31, private to the processor) with a priority.
static inline void arch_gic_enable(uint32_t number, uint8_t priority) {
    ARCH_BYTE(ARCH_GICD_IPRIORITYR + number) = priority;
    ARCH_WORD(ARCH_GICD_ISENABLER0) = 1u << number;
}

// Enables `line`. Called before the kernel starts.
static inline void arch_interrupt_enable(uint32_t line) {
    arch_gic_enable(line, ARCH_INTERRUPT_PRIORITY);
}

// Requests `line`. The barriers make the request take effect before the next instruction: if the
// line's priority permits, its handler has returned when this function returns.
static inline void arch_interrupt_request(uint32_t line) {
    __asm__ volatile("str %0, [%1]\n\tdsb\n\tisb" ::"r"(ARCH_GICD_SGIR_SELF | line),
                     "r"(ARCH_GICD_SGIR)
                     : "memory");
}

// Calls the handler of an interrupt, given the value read from GICC_IAR.
void arch_interrupt_serve(uint32_t acknowledged);

// Returns whether the caller runs in interrupt context: handlers run in Supervisor mode, tasks in
// System or User mode.
static inline bool arch_interrupt_active(void) {
    uint32_t cpsr;
    __asm__ volatile("mrs %0, cpsr" : "=r"(cpsr));
    return (cpsr & ARCH_CPSR_MODE) == ARCH_MODE_SUPERVISOR;
}

// Enables interrupts in the processor.
static inline void arch_interrupts_on(void) {
    __asm__ volatile("cpsie i" ::: "memory");
}

// Masks every interrupt permanently, because the run is about to end.
static inline void arch_interrupts_off(void) {
    __asm__ volatile("cpsid i" ::: "memory");
}

#endif
