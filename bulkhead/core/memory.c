// SPDX-License-Identifier: MIT
//
// Words that are copied and zeroed. The kernel has its own functions for it: memcpy and memset lie
// in the code that all processes share, and may be an application's own. That the compiler calls
// neither where it finds a loop like these, the words are volatile.
#include "kernel.h"

void kernel_copy(uint32_t *to, const uint32_t *end, const uint32_t *from) {
    volatile uint32_t *each = to;
    while (each < end) {
        *each++ = *from++;
    }
}

// Four words at a time, behind those that are over.
void kernel_clear(void *from, const void *end) {
    volatile uint32_t *each = from;
    while (((uint32_t)(uintptr_t)end - (uint32_t)(uintptr_t)each) % 16 != 0) {
        *each++ = 0;
    }
    for (; each != end; each += 4) {
        each[0] = 0;
        each[1] = 0;
        each[2] = 0;
        each[3] = 0;
    }
}
