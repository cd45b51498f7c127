// SPDX-License-Identifier: MIT
//
// A guest without traps: calls, recursion, loops, multiplications, divisions, half-words, jump
// tables.
#include "guest.h"

uint32_t trap(uint32_t cause, uint32_t pc) {
    (void)cause;
    return pc;
}

static volatile uint32_t results[16];

__attribute__((noinline)) static uint32_t fibonacci(uint32_t n) {
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

__attribute__((noinline)) static uint32_t choose(uint32_t which, uint32_t value) {
    BENCH_MARK("choose");
    switch (which) {
    case 0:
        return value * 3;
    case 1:
        return value / 7;
    case 2:
        return (uint32_t)(((uint64_t)value * value) >> 32);
    case 3:
        return value % 11;
    case 4:
        return fibonacci(5);
    case 5:
        return (uint16_t)value << 3;
    default:
        return ~value;
    }
}

static uint32_t (*volatile chosen)(uint32_t, uint32_t) = choose;

void guest(void) {
    for (uint32_t i = 0; i < 40; i++) {
        results[i % 16] = chosen(i % 7, i * 0x12345);
        ((volatile uint8_t *)results)[i] ^= (uint8_t)i;
        BENCH_MARK("worked");
    }
}
