// SPDX-License-Identifier: MIT
//
// The architecture's part of injecting an interrupt (bench/injection.h): how to pend a line. The
// board's part, a device such as a watchdog, decides when.
#include <arch/injection.h>
#include <arch/interrupt.h>
#include <bench/injection.h>

#include <stddef.h>

_Static_assert(offsetof(struct arch_injection, pend) == ARCH_INJECTION_PEND,
               "must equal the assembler's offset");
_Static_assert(offsetof(struct arch_injection, request) == ARCH_INJECTION_REQUEST,
               "must equal the assembler's offset");
_Static_assert(offsetof(struct arch_injection, at) == ARCH_INJECTION_AT,
               "must equal the assembler's offset");

struct arch_injection arch_injection;

void bench_injection_bind(uint32_t line) {
    const uint32_t number = ARCH_INTERRUPT_FIRST + line;
    arch_injection.pend = &ARCH_NVIC_PEND[number / 32];
    arch_injection.request = 1u << (number % 32);
}

// One register pends all lines.
_Static_assert(ARCH_INTERRUPT_FIRST % 32 + ARCH_INTERRUPT_LINES <= 32,
               "all lines must be in one register of the NVIC");

void bench_injection_bind_also(uint32_t line) {
    arch_injection.request |= 1u << ((ARCH_INTERRUPT_FIRST + line) % 32);
}
