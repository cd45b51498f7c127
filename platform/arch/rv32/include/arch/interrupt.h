// SPDX-License-Identifier: MIT
//
// Interrupts that software requests: 16 lines behind one device, the console.
//
// A request is a real one: the 16550 interrupts because its transmitter is empty and it is told to
// say so, and the interrupt goes through the PLIC to the core as the external one (cause 11). Its
// scratch register holds the line. Two bytes of one device do it, so that an isolating kernel can
// let a task ask for interrupts by a window to that device. One request at a time: the next one
// before the handler has run takes its place.
//
// The kernel's entry for external interrupts calls arch_interrupt_serve() in its interrupt context,
// and that the handler of the line: `Interrupt<n>_Handler`, which a port defines. The software
// interrupt (cause 3) is left to kernels.
#ifndef ARCH_INTERRUPT_H
#define ARCH_INTERRUPT_H

#include <arch/machine.h>
#include <stdbool.h>
#include <stdint.h>

#define ARCH_INTERRUPT_LINES 16u

// Lets `line` interrupt. Before the kernel starts; the kernel enables interrupts themselves.
static inline void arch_interrupt_enable(uint32_t line) {
    (void)line;
    ARCH_WORD(ARCH_PLIC_PRIORITY) = 1;
    ARCH_WORD(ARCH_PLIC_ENABLE) = 1u << ARCH_PLIC_CONSOLE;
    __asm__ volatile("csrs mie, %0" ::"r"(ARCH_MIE_EXTERNAL) : "memory");
}

// Requests `line`. If interrupts are enabled its handler has run when this returns: the second
// store is granted when the core sees the interrupt (rtl/README.md).
static inline void arch_interrupt_request(uint32_t line) {
    ARCH_BYTE(ARCH_UART_SCR) = (uint8_t)line;
    ARCH_BYTE(ARCH_UART_IER) = ARCH_UART_IER_ETBEI;
    __asm__ volatile("" ::: "memory");
}

// Claims the request, runs its handler, completes it.
void arch_interrupt_serve(void);

// Whether the caller, in machine mode, runs in an interrupt's context: there interrupts are masked,
// in a task's they are not.
static inline bool arch_interrupt_active(void) {
    uint32_t mstatus;
    __asm__ volatile("csrr %0, mstatus" : "=r"(mstatus));
    return (mstatus & ARCH_MSTATUS_MIE) == 0;
}

// Lets interrupts come in that are enabled. In machine mode.
static inline void arch_interrupts_on(void) {
    __asm__ volatile("csrsi mstatus, %0" ::"i"(ARCH_MSTATUS_MIE) : "memory");
}

// Masks every interrupt for good: the run is about to end. Weak, in machine.c: a kernel whose tasks
// run in user mode has another one.
void arch_interrupts_off(void);

#endif
