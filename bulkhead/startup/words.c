// SPDX-License-Identifier: MIT
//
// memcpy and memset of the kernel's own, for start-up code: a compiler calls them for loops that
// copy or clear. The C library's belong to the processes, and the kernel calls nothing of theirs.
// Within the kernel's closed object these have their names for themselves.
//
// The bytes are volatile so that the compiler does not find a memcpy in memcpy.
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
