// SPDX-License-Identifier: MIT
//
// The guest's way out: text to the host and the end of the run, by semihosting.
//
// Semihosting needs no driver, no memory-mapped device and no interrupt, so that it works in a
// fault handler and differs on no board. It is slow and stops the machine: nothing that is measured
// writes.
#ifndef ARCH_CONSOLE_H
#define ARCH_CONSOLE_H

// Writes `text`. In any context.
void arch_console_write(const char *text);

// Ends the run; the host's process exits with `status`. In any context.
_Noreturn void arch_exit(int status);

#endif
