// SPDX-License-Identifier: MIT
//
// The guest's output: text to the host and the end of the run, by semihosting.
//
// Semihosting needs no driver, no memory-mapped device and no interrupt. It therefore works in a
// fault handler and is the same on every board. It is slow and stops the machine, so no measured
// code writes to the console.
#ifndef ARCH_CONSOLE_H
#define ARCH_CONSOLE_H

// Writes `text`. May be called in any context.
void arch_console_write(const char *text);

// Ends the run; the host's process exits with `status`. May be called in any context.
_Noreturn void arch_exit(int status);

#endif
