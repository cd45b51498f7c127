// SPDX-License-Identifier: MIT
//
// The interface between a board's code for injecting interrupts (bench/injection.h) and the
// architecture's: how to pend the interrupt, and where it was pended. For C and for assembler.
#ifndef ARCH_INJECTION_H
#define ARCH_INJECTION_H

// Offsets in struct arch_injection.
#define ARCH_INJECTION_PEND 0
#define ARCH_INJECTION_REQUEST 4
#define ARCH_INJECTION_AT 8

#ifndef __ASSEMBLER__
#include <stdint.h>

struct arch_injection {
    volatile uint32_t *pend; // register of the NVIC
    uint32_t request;        // value to write to `pend`
    volatile uint32_t at;    // address of the interrupted instruction; 0 if not pended yet
};

extern struct arch_injection arch_injection;
#endif

#endif
