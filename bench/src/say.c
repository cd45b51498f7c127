// SPDX-License-Identifier: MIT
//
// Writes numbers to the console without the C library's formatter, which would be a third of an
// image.
#include <arch/console.h>
#include <bench/say.h>

void bench_say_hexadecimal(const char *text, uint32_t value) {
    char digits[] = "00000000\n";
    for (int place = 7; place >= 0; place--) {
        digits[place] = "0123456789abcdef"[value % 16];
        value /= 16;
    }
    arch_console_write(text);
    arch_console_write(digits);
}
