// SPDX-License-Identifier: MIT
//
// Where the core's reset code goes on in C.
#ifndef PLATFORM_START_H
#define PLATFORM_START_H

// With a stack; before it no variable has its value.
_Noreturn void platform_start(void);

#endif
