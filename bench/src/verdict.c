// SPDX-License-Identifier: MIT
//
// The two ways in which a guest ends its run. The lines are part of the console's format
// (docs/reference/formats.md). The event log may still turn a finished run into a failed one.
#include <arch/console.h>
#include <arch/interrupt.h>
#include <bench/port.h>

enum { STATUS_FINISHED = 0, STATUS_FAILED = 1 };

_Noreturn void bench_fail(const char *reason) {
    arch_interrupts_off(); // no other task may write between the parts of the line
    arch_console_write("\nticklab: fail: ");
    arch_console_write(reason);
    arch_console_write("\n");
    arch_exit(STATUS_FAILED);
}

_Noreturn void bench_finish(void) {
    arch_interrupts_off();
    arch_console_write("\nticklab: finished\n");
    arch_exit(STATUS_FINISHED);
}
