// SPDX-License-Identifier: MIT
//
// The guest's way out: text to the host by a 16550, and the end of the run by a SiFive test device,
// as QEMU's `virt` machine and the nodes of rtl/ have them.
//
// The transmitter is always empty, so that a character is one store, in any context.
#ifndef ARCH_CONSOLE_H
#define ARCH_CONSOLE_H

// Writes `text`. In any context.
void arch_console_write(const char *text);

// Ends the run; the host's process exits with `status`. In any context.
_Noreturn void arch_exit(int status);

#endif
