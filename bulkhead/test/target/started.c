// SPDX-License-Identifier: MIT
//
// Functions that the laboratory's start-up code and fault report call. All of them run privileged;
// report.c has the functions that threads call.
#include <arch/console.h>
#include <arch/tick.h>
#include <bench/port.h>
#include <bulkhead/start.h>

_Noreturn void bench_port_start(void) {
    arch_tick_start(BENCH_TICK_HZ, BULKHEAD_EXCEPTION_PRIORITY);
    bulkhead_start();
}

_Noreturn void bench_fail(const char *line) {
    arch_console_write("failed: ");
    arch_console_write(line);
    arch_console_write("\n");
    arch_exit(1);
}
