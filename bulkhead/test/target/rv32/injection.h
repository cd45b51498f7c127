// SPDX-License-Identifier: MIT
//
// For positions.c: an interrupt before a chosen instruction of whatever runs next (injection.c).
#ifndef INJECTION_H
#define INJECTION_H

#include <stdbool.h>
#include <stdint.h>

// What is pended: lines that the declaration binds, or a tick.
enum { RESUMING_LINE = 16, DELIVERED_LINE };

void injection_bind_line(uint32_t line);
void injection_bind_tick(void);

// When about so many instructions have been executed: another one for each position.
void injection_arm(uint32_t position);

// Returns before which instruction it came, or that this was one of the kernel's; 0 if it did not
// come, in which case it will not.
#define INJECTION_IN_KERNEL 1u
uint32_t injection_disarm(void);

bool injection_came(void);

#endif
