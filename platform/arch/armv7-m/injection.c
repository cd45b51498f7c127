// SPDX-License-Identifier: MIT
//
// The architecture's part of the injection (bench/injection.h): how a line is pended. When, the
// board's device decides.
#include <arch/injection.h>
#include <arch/interrupt.h>
#include <bench/injection.h>

#include <stddef.h>

_Static_assert(offsetof(struct arch_injection, pend) == ARCH_INJECTION_PEND, "assembler's");
_Static_assert(offsetof(struct arch_injection, request) == ARCH_INJECTION_REQUEST, "assembler's");
_Static_assert(offsetof(struct arch_injection, at) == ARCH_INJECTION_AT, "assembler's");

struct arch_injection arch_injection;

void bench_injection_bind(uint32_t line) {
    const uint32_t number = ARCH_INTERRUPT_FIRST + line;
    arch_injection.pend = &ARCH_NVIC_PEND[number / 32];
    arch_injection.request = 1u << (number % 32);
}
