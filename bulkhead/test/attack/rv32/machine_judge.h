// SPDX-License-Identifier: MIT
//
// Architecture part of the judge: how the judge calls the witness, and what an attempt on RV32 must
// not cause.
#ifndef MACHINE_JUDGE_H
#define MACHINE_JUDGE_H

#include "grants.h"
#include "order.h"
#include <bulkhead/bulkhead.h>
#include <stddef.h>

// Calls the witness by an interrupt, which posts a semaphore after the look. The witness finds this
// semaphore empty each time.
static inline void machine_call_witness(void) {
    bulkhead_interrupt_pend(INTERRUPT_WITNESS);
    bulkhead_semaphore_take(SEMAPHORE_LOOKED, BULKHEAD_NO_WAIT);
}

// RV32 has no forgeries.
static inline void machine_prepare(void) {
}

static inline void machine_forge(void) {
}

static inline const char *machine_forgery_wrong(void) {
    return NULL;
}

// Returns an error if a register shows another process's value after a call into another process.
// The kernel leaves in T1 the address at which the thread goes on, and clears the registers that
// are neither preserved nor results.
static inline const char *machine_look_wrong(void) {
    for (uint32_t i = 0; i < CORE_REGISTERS; i++) {
        const bool is_given = i == SP || i == T1 || i == A0 || i == A2 || (i >= A4 && i <= A7);
        if (!is_given && !order_is_kept(GATE_CLERK, i) && order.after[i] != 0) {
            return "registers of others can be seen";
        }
    }
    return NULL;
}

// Returns whether a call may succeed with the stack pointer at `address`: a call needs no stack.
static inline bool machine_may_call_from(uint32_t variant, uint32_t address) {
    enum { STACK_CALL = 0 };
    (void)address;
    return variant == STACK_CALL;
}

#endif
