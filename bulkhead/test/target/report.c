// SPDX-License-Identifier: MIT
//
// Prints the output of a test and its result, and ends the run.
#include "report.h"
#include <arch/console.h>
#include <bench/port.h>

void require(bool condition, const char *line) {
    if (!condition) {
        bench_fail(line);
    }
}

void say(const char *text) {
    arch_console_write(text);
}

void say_number(uint32_t number) {
    char digits[11];
    char *first = &digits[10];
    *first = '\0';
    do {
        *--first = (char)('0' + number % 10);
        number /= 10;
    } while (number != 0);
    say(first);
}

_Noreturn void succeed(void) {
    say("\n");
    arch_exit(0);
}

_Noreturn void bench_fail(const char *line) {
    arch_console_write("failed: ");
    arch_console_write(line);
    arch_console_write("\n");
    arch_exit(1);
}
