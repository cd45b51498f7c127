// SPDX-License-Identifier: MIT
//
// The image's output: prints text by a 16550 and ends the run by a SiFive test device. QEMU's
// `virt` machine and the nodes of rtl/ have both devices.
//
// The transmitter is always empty, so a character is one store, in any context.
#ifndef ARCH_CONSOLE_H
#define ARCH_CONSOLE_H

// Writes `text`. May be called in any context.
void arch_console_write(const char *text);

// Ends the run; the host's process exits with `status`. May be called in any context.
_Noreturn void arch_exit(int status);

#endif
