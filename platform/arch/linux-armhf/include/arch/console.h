// SPDX-License-Identifier: MIT
//
// The output of a program under Linux: text to the host and the end of the run, by semihosting.
//
// A semihosting call is one instruction that the emulator serves at once, also in user mode, so
// that no driver of the measured kernel runs.
#ifndef ARCH_CONSOLE_H
#define ARCH_CONSOLE_H

// Writes `text`. May be called in any thread.
void arch_console_write(const char *text);

// Ends the run; the emulator exits with `status`. May be called in any thread.
_Noreturn void arch_exit(int status);

#endif
