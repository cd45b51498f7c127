// SPDX-License-Identifier: MIT
//
// Interrupts requested by software: 16 lines that share one device, the console.
//
// A request is a real interrupt: the 16550 interrupts because its transmitter is empty and the
// transmitter interrupt is enabled, and the PLIC forwards it to the core as the external interrupt
// (cause 11). The 16550's scratch register holds the line. Two bytes of one device are enough, so
// an isolating kernel can let a task request interrupts by giving it a window to that device. Only
// one request can be pending: a second request before the handler has run replaces the first.
//
// The kernel's entry for external interrupts calls arch_interrupt_serve() in its interrupt context,
// which calls the handler of the line: `Interrupt<n>_Handler`, which a port defines. The software
// interrupt (cause 3) is left to kernels.
#ifndef ARCH_INTERRUPT_H
#define ARCH_INTERRUPT_H

#include <arch/machine.h>
#include <stdbool.h>
#include <stdint.h>

#define ARCH_INTERRUPT_LINES 16u

// Enables `line`. Called before the kernel starts; the kernel enables interrupts globally.
static inline void arch_interrupt_enable(uint32_t line) {
    (void)line;
    ARCH_WORD(ARCH_PLIC_PRIORITY) = 1;
    ARCH_WORD(ARCH_PLIC_ENABLE) = 1u << ARCH_PLIC_CONSOLE;
    __asm__ volatile("csrs mie, %0" ::"r"(ARCH_MIE_EXTERNAL) : "memory");
}

// Requests `line`. If interrupts are enabled, the line's handler has returned when this function
// returns: the second store is granted only when the core sees the interrupt (rtl/README.md).
static inline void arch_interrupt_request(uint32_t line) {
    ARCH_BYTE(ARCH_UART_SCR) = (uint8_t)line;
    ARCH_BYTE(ARCH_UART_IER) = ARCH_UART_IER_ETBEI;
    __asm__ volatile("" ::: "memory");
}

// Claims the request, runs its handler and completes the request.
void arch_interrupt_serve(void);

// Returns whether the caller, in machine mode, runs in interrupt context, in which interrupts are
// masked. In a task they are enabled.
static inline bool arch_interrupt_active(void) {
    uint32_t mstatus;
    __asm__ volatile("csrr %0, mstatus" : "=r"(mstatus));
    return (mstatus & ARCH_MSTATUS_MIE) == 0;
}

// Enables interrupts globally. Called in machine mode.
static inline void arch_interrupts_on(void) {
    __asm__ volatile("csrsi mstatus, %0" ::"i"(ARCH_MSTATUS_MIE) : "memory");
}

// Masks every interrupt permanently, because the run is about to end. The definition in machine.c
// is weak: a kernel that runs tasks in user mode defines its own.
void arch_interrupts_off(void);

#endif
