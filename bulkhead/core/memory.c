// SPDX-License-Identifier: MIT
//
// Copies and clears words. The kernel's own memcpy and memset (startup/words.c) go byte by byte, so
// these loops work on words, which are volatile so that the compiler does not replace the loops by
// calls of those functions.
#include "kernel.h"

// A struct of this size, which the compiler clears with inline code.
struct four_words {
    uint32_t each[4];
};

void kernel_copy(uint32_t *to, const uint32_t *end, const uint32_t *from) {
    volatile uint32_t *each = to;
    while (each < end) {
        *each++ = *from++;
    }
}

// Clears single words until the rest is a multiple of four, then four words at a time.
void kernel_clear(void *from, const void *end) {
    volatile uint32_t *each = from;
    while (((uint32_t)(uintptr_t)end - (uint32_t)(uintptr_t)each) % 16 != 0) {
        *each++ = 0;
    }
    for (; each != end; each += 4) {
        *(struct four_words *)(void *)(uintptr_t)each = (struct four_words){{0}};
        arch_compiler_barrier();
    }
}
