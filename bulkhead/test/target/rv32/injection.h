// SPDX-License-Identifier: MIT
//
// For positions.c: injects an interrupt before a chosen instruction of the code that runs next
// (injection.c).
#ifndef INJECTION_H
#define INJECTION_H

#include <stdbool.h>
#include <stdint.h>

// The interrupt to pend: a line that the declaration binds, or the tick.
enum { RESUMING_LINE = 16, DELIVERED_LINE };

void injection_bind_line(uint32_t line);
void injection_bind_tick(void);

// Arms the interrupt for about `position` instructions from now. Different positions give different
// instructions.
void injection_arm(uint32_t position);

// Returns the address of the instruction before which the interrupt came, or INJECTION_IN_KERNEL if
// that was one of the kernel's. Returns 0 if the interrupt did not come; then it will not come.
#define INJECTION_IN_KERNEL 1u
uint32_t injection_disarm(void);

bool injection_came(void);

#endif
