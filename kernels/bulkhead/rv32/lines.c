// SPDX-License-Identifier: MIT
//
// The kernel's interrupt lines, which are those that software requests from the platform. They
// belong to one device, which interrupts once per request, so no line has to be masked until its
// driver is done.
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
