// SPDX-License-Identifier: MIT
//
// The console of a test in user mode: calls the emulator directly. The interface is that of the
// laboratory's header of the same name.
#ifndef ARCH_CONSOLE_H
#define ARCH_CONSOLE_H

void arch_console_write(const char *text);
_Noreturn void arch_exit(int status);

#endif
