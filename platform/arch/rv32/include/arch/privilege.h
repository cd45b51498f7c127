// SPDX-License-Identifier: MIT
//
// Whether the running code has the processor's privileges.
//
// Code cannot ask which mode it runs in. Weak, in machine.c, and there always true: a kernel whose
// tasks run in user mode has another one, which must try.
#ifndef ARCH_PRIVILEGE_H
#define ARCH_PRIVILEGE_H

#include <stdbool.h>

bool arch_privileged(void);

#endif
