// SPDX-License-Identifier: MIT
//
// The kernel's own memcpy and memset, for start-up code: a compiler calls them for loops that copy
// or clear. The functions of the C library belong to the processes, and the kernel calls none of
// them. These names are local to the closed object of the kernel.
//
// The bytes are volatile so that the compiler does not replace the loop in memcpy by a call of
// memcpy.
#include <stddef.h>
#include <stdint.h>

void *memcpy(void *to, const void *from, size_t count);
void *memcpy(void *to, const void *from, size_t count) {
    volatile uint8_t *written = to;
    const uint8_t *read = from;
    for (size_t i = 0; i < count; i++) {
        written[i] = read[i];
    }
    return to;
}

void *memset(void *to, int value, size_t count);
void *memset(void *to, int value, size_t count) {
    volatile uint8_t *written = to;
    for (size_t i = 0; i < count; i++) {
        written[i] = (uint8_t)value;
    }
    return to;
}
