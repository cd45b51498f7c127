// SPDX-License-Identifier: MIT
//
// Functions that a board defines for its interrupt lines, beside arch_line_mask and the others in
// arch.h: RISC-V leaves the interrupt controller to the machine. The kernel calls all of them in
// machine mode, with interrupts disabled.
#ifndef BULKHEAD_LINES_H
#define BULKHEAD_LINES_H

#include <stdint.h>

// Requests an interrupt, as its device would.
void arch_line_pend(uint32_t number);

// Calls the handlers of the lines that request an interrupt. For the machine's external interrupt.
void bulkhead_lines_serve(void);

#endif
