// SPDX-License-Identifier: MIT
//
// The handler of interrupts that the kernel's port leaves to the application. It unmasks further
// interrupts, as the kernel's demonstrations do. Handlers use no floating-point register
// (platform/cores), so the kernel need not save those.
#include <arch/interrupt.h>

void vApplicationIRQHandler(uint32_t acknowledged);
void vApplicationIRQHandler(uint32_t acknowledged) {
    arch_interrupts_on();
    arch_interrupt_serve(acknowledged);
}
