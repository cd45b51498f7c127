// SPDX-License-Identifier: MIT
//
// RV32 part of judge.c: how the judge calls the witness, and how it checks the result of an attack.
#ifndef MACHINE_JUDGE_H
#define MACHINE_JUDGE_H

#include "grants.h"
#include "order.h"
#include <bulkhead/bulkhead.h>
#include <stddef.h>

// Calls the witness by an interrupt, which gives a semaphore after the witness has run. The
// semaphore is always empty while the witness compares memory.
static inline void machine_call_witness(void) {
    bulkhead_interrupt_pend(INTERRUPT_WITNESS);
    bulkhead_semaphore_take(SEMAPHORE_LOOKED, BULKHEAD_NO_WAIT);
}

// Does nothing: on RV32 there is no exception frame to forge.
static inline void machine_prepare(void) {
}

static inline void machine_forge(void) {
}

static inline const char *machine_forgery_wrong(void) {
    return NULL;
}

// Returns an error if a register has a value of another process after a call into that process. The
// kernel leaves the address at which the thread continues in T1, and clears all registers that are
// neither preserved nor results.
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
