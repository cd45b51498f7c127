// SPDX-License-Identifier: MIT
//
// What a board's injection (bench/injection.h) shares with the architecture: which register pends
// the interrupt, and where it was pended. For C and for assembler.
#ifndef ARCH_INJECTION_H
#define ARCH_INJECTION_H

// Offsets in struct arch_injection.
#define ARCH_INJECTION_PEND 0
#define ARCH_INJECTION_REQUEST 4
#define ARCH_INJECTION_AT 8

#ifndef __ASSEMBLER__
#include <stdint.h>

struct arch_injection {
    volatile uint32_t *pend; // register of the NVIC, …
    uint32_t request;        // … and what to write to it
    volatile uint32_t at;    // address of the interrupted instruction; 0: not pended yet
};

extern struct arch_injection arch_injection;
#endif

#endif
