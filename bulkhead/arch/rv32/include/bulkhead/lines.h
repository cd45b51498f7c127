// SPDX-License-Identifier: MIT
//
// What a board does for its interrupt lines, beside arch_line_mask and its likes (arch.h): RISC-V
// leaves their controller to the machine. All of it is called in machine mode, with interrupts
// disabled.
#ifndef BULKHEAD_LINES_H
#define BULKHEAD_LINES_H

#include <stdint.h>

// Requests an interrupt, as its device would.
void arch_line_pend(uint32_t number);

// From the machine's external interrupt: calls the handlers of the lines that ask for it.
void bulkhead_lines_serve(void);

#endif
