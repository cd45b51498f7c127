// SPDX-License-Identifier: MIT
//
// The C entry point of the start-up, called by the core's reset code.
#ifndef PLATFORM_START_H
#define PLATFORM_START_H

// Initialises the variables and starts the kernel's port. Called with a valid stack.
_Noreturn void platform_start(void);

#endif
