// SPDX-License-Identifier: MIT
//
// Armv7-M part of judge.c: how the judge calls the witness, and how it checks the result of an
// attack.
#ifndef MACHINE_JUDGE_H
#define MACHINE_JUDGE_H

#include "grants.h"
#include "order.h"
#include <bulkhead/bulkhead.h>
#include <bulkhead/fault.h>

#define WATCHDOG_LOAD (*(volatile uint32_t *)MACHINE_WATCHDOG)
#define WATCHDOG_CONTROL (*(volatile uint32_t *)(MACHINE_WATCHDOG + 8))

// Calls the witness: the watchdog's interrupt, the NMI, runs it.
static inline void machine_call_witness(void) {
    WATCHDOG_CONTROL = 1;
    WATCHDOG_LOAD = 1;
}

static inline void machine_prepare(void) {
    for (uint32_t i = 0; i < FRAME_WORDS; i++) {
        order.machine.beyond[i] = BEYOND;
    }
}

// Lets the accomplice change the exception frame of the attacker, which waits in a system call.
static inline void machine_forge(void) {
    bulkhead_notify(THREAD_ACCOMPLICE);
    bulkhead_notify(THREAD_ATTACKER);
}

// Returns an error if the fault report has register values that are not of the attacker. QEMU may
// have removed a frame from the stack although the processor did not return to it.
static inline const char *machine_forgery_wrong(void) {
    struct bulkhead_fault fault;
    if (bulkhead_fault_read(PROCESS_ATTACKER, &fault) != BULKHEAD_OK) {
        return "no report";
    }
    return fault.registers.r0 == BEYOND ? "a report has registers that are nobody's" : NULL;
}

static inline const char *machine_look_wrong(void) {
    for (uint32_t i = 0; i < FLOATING_REGISTERS; i++) {
        if (order.machine.floating[i] != 0) {
            return "floating-point registers of others can be seen";
        }
    }
    return NULL;
}

// Returns whether a call may succeed with the stack pointer at `address`: a call needs a frame on
// the stack.
static inline bool machine_may_call_from(uint32_t variant, uint32_t address) {
    enum { BASIC_FRAME = 32, FLOATING_FRAME = 104, STACK_CALL = 0, STACK_FLOATING_CALL = 2 };
    const uint32_t bytes = variant == STACK_CALL ? BASIC_FRAME : FLOATING_FRAME;
    const uint32_t frame = ((address & ~3u) - bytes) & ~4u; // aligned to 8 (DDI 0403E, B1.5.7)
    return (variant == STACK_CALL || variant == STACK_FLOATING_CALL) &&
           grants_may_write(frame, BASIC_FRAME);
}

#endif
