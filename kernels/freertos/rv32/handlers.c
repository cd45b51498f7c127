// SPDX-License-Identifier: MIT
//
// Handlers that the kernel's port leaves to the application: external interrupts, and exceptions
// other than its own.
#include <arch/fault.h>
#include <arch/interrupt.h>

void freertos_risc_v_application_interrupt_handler(void);
void freertos_risc_v_application_interrupt_handler(void) {
    arch_interrupt_serve();
}

void freertos_risc_v_application_exception_handler(void);
void freertos_risc_v_application_exception_handler(void) {
    arch_fault_entry();
}
