// SPDX-License-Identifier: MIT
//
// The sentence of a fault's report, put together where no C library may be.
#ifndef PLATFORM_REPORT_H
#define PLATFORM_REPORT_H

#include <stdint.h>

enum { PLATFORM_REPORT_BYTES = 96 };

// Writes at `end`, without a terminating zero, and returns the new end.
char *platform_report_text(char *end, const char *text);

// `label` and eight hexadecimal digits.
char *platform_report_hex(char *end, const char *label, uint32_t value);

#endif
