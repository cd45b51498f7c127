// SPDX-License-Identifier: MIT
//
// The kernel's interrupt lines, which software requests from the platform's test device. The device
// interrupts once per request. The kernel therefore need not mask a line until the driver has
// served the interrupt.
#include <arch.h>
#include <arch/interrupt.h>
#include <bulkhead/lines.h>

void arch_line_mask(const struct arch_line *line) {
    (void)line;
}

void arch_line_unmask(const struct arch_line *line) {
    arch_interrupt_enable(line->number);
}

void arch_line_forget(const struct arch_line *line) {
    (void)line;
}

void arch_line_pend(uint32_t number) {
    arch_interrupt_request(number);
}

void bulkhead_lines_serve(void) {
    arch_interrupt_serve();
}
