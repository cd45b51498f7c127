// SPDX-License-Identifier: MIT
//
// For positions.c: pends an interrupt before a chosen instruction. The laboratory's injection
// (bench/injection.h) does so with the NMI of the watchdog.
#ifndef INJECTION_H
#define INJECTION_H

#include <arch/injection.h>
#include <bench/injection.h>
#include <stdbool.h>

#define ICSR ((volatile uint32_t *)0xE000ED04u)
#define ICSR_PENDSTSET (1u << 26)

// The interrupt to pend: a line that the declaration binds, or the tick.
enum { RESUMING_LINE, DELIVERED_LINE };

static inline void injection_bind_line(uint32_t line) {
    bench_injection_bind(line);
}

static inline void injection_bind_tick(void) {
    arch_injection.pend = ICSR;
    arch_injection.request = ICSR_PENDSTSET;
}

static inline void injection_arm(uint32_t position) {
    bench_injection_arm(position);
}

// Returns the address of the instruction before which the interrupt came; 0 if it did not come.
static inline uint32_t injection_disarm(void) {
    return bench_injection_disarm();
}

static inline bool injection_came(void) {
    return arch_injection.at != 0;
}

#endif
