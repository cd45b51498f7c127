// SPDX-License-Identifier: MIT
//
// Composes the text of a fault's report (platform/report.h).
#include <platform/report.h>

char *platform_report_text(char *end, const char *text) {
    while (*text != '\0') {
        *end++ = *text++;
    }
    return end;
}

char *platform_report_hex(char *end, const char *label, uint32_t value) {
    end = platform_report_text(end, label);
    for (int shift = 28; shift >= 0; shift -= 4) {
        *end++ = "0123456789abcdef"[(value >> shift) & 15u];
    }
    return end;
}
