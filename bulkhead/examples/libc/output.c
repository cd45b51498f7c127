// SPDX-License-Identifier: MIT
//
// Defines bulkhead_libc_write, to which the C library of both processes writes.
#include <console.h>
#include <stdint.h>

void bulkhead_libc_write(const char *text, uint32_t length);
void bulkhead_libc_write(const char *text, uint32_t length) {
    for (uint32_t i = 0; i < length; i++) {
        console_call(0x03, &text[i]); // SYS_WRITEC
    }
}
