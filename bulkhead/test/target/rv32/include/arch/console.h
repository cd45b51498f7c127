// SPDX-License-Identifier: MIT
//
// A test's way out of user mode, with the interface of the laboratory's header of the same name:
// calls the emulator itself.
#ifndef ARCH_CONSOLE_H
#define ARCH_CONSOLE_H

void arch_console_write(const char *text);
_Noreturn void arch_exit(int status);

#endif
