// SPDX-License-Identifier: MIT
//
// Tells whether the running code is privileged.
//
// Code on RISC-V cannot read its own mode. The definition in machine.c is weak and always returns
// true. A kernel that runs tasks in user mode defines its own, which must try a privileged
// operation.
#ifndef ARCH_PRIVILEGE_H
#define ARCH_PRIVILEGE_H

#include <stdbool.h>

bool arch_privileged(void);

#endif
