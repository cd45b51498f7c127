// SPDX-License-Identifier: MIT
//
// The C entry point of the start-up, called by the core's reset code.
#ifndef PLATFORM_START_H
#define PLATFORM_START_H

// Called with a valid stack. Variables have their initial values only after it has copied them.
_Noreturn void platform_start(void);

#endif
