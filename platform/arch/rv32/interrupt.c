// SPDX-License-Identifier: MIT
//
// Serves the interrupts that software requests (arch/interrupt.h).
//
// Handlers are weak symbols: a port installs one by defining it. What nobody defines fails the run:
// no interrupt is ever swallowed.
#include <arch/interrupt.h>
#include <bench/port.h>

#define WEAK(name) void name(void) __attribute__((weak, alias("interrupt_unhandled")))

// An alias must name a function of its own file.
__attribute__((used)) static void interrupt_unhandled(void) {
    bench_fail("an interrupt came that no handler is for");
}

WEAK(Interrupt0_Handler);
WEAK(Interrupt1_Handler);
WEAK(Interrupt2_Handler);
WEAK(Interrupt3_Handler);
WEAK(Interrupt4_Handler);
WEAK(Interrupt5_Handler);
WEAK(Interrupt6_Handler);
WEAK(Interrupt7_Handler);
WEAK(Interrupt8_Handler);
WEAK(Interrupt9_Handler);
WEAK(Interrupt10_Handler);
WEAK(Interrupt11_Handler);
WEAK(Interrupt12_Handler);
WEAK(Interrupt13_Handler);
WEAK(Interrupt14_Handler);
WEAK(Interrupt15_Handler);

static void (*const handlers[ARCH_INTERRUPT_LINES])(void) = {
    Interrupt0_Handler,  Interrupt1_Handler,  Interrupt2_Handler,  Interrupt3_Handler,
    Interrupt4_Handler,  Interrupt5_Handler,  Interrupt6_Handler,  Interrupt7_Handler,
    Interrupt8_Handler,  Interrupt9_Handler,  Interrupt10_Handler, Interrupt11_Handler,
    Interrupt12_Handler, Interrupt13_Handler, Interrupt14_Handler, Interrupt15_Handler,
};

void arch_interrupt_serve(void) {
    const uint32_t claim = ARCH_WORD(ARCH_PLIC_CLAIM);
    const uint32_t line = ARCH_BYTE(ARCH_UART_SCR) % ARCH_INTERRUPT_LINES;
    ARCH_BYTE(ARCH_UART_IER) = 0;
    handlers[line]();
    ARCH_WORD(ARCH_PLIC_CLAIM) = claim;
}
