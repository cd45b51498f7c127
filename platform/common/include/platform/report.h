// SPDX-License-Identifier: MIT
//
// Composes the text of a fault's report without a C library, which may be unusable after a fault.
#ifndef PLATFORM_REPORT_H
#define PLATFORM_REPORT_H

#include <stdint.h>

enum { PLATFORM_REPORT_BYTES = 96 };

// Writes `text` at `end`, without a terminating zero, and returns the new end.
char *platform_report_text(char *end, const char *text);

// Writes `label` and eight hexadecimal digits, in the same way.
char *platform_report_hex(char *end, const char *label, uint32_t value);

#endif
