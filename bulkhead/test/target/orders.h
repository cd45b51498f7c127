// SPDX-License-Identifier: MIT
//
// The attack that the isolation test orders from the hostile process (the suspect). The order is in
// memory of the suspect that the test may also write. After a fault, the restart of the suspect
// sets the order to NOTHING.
#ifndef ORDERS_H
#define ORDERS_H

#include <stdint.h>

enum attempt {
    NOTHING,
    READ,      // loads from `address`
    WRITE,     // stores `value` at `address`
    JUMP,      // branches to `address`
    CALL_FROM, // makes a null call with the stack pointer at `address`
    BREAK,     // executes a breakpoint
    MASK,      // masks interrupts
    UNDEFINED, // executes an undefined instruction
    CALL,      // calls method `value` of the handle at `address`, with `arguments`
    ESCALATE,  // makes itself privileged, then loads from `address`
};

struct order {
    uint32_t attempt; // enum attempt
    uint32_t address;
    uint32_t value;
    uint32_t arguments[2];
    uint32_t result; // result of CALL
    uint32_t done;   // set when the attack returns instead of faulting
};

enum { ORDERS_BYTES = 64 }; // size of the memory region of the order, as in system.toml

extern volatile struct order order;

#endif
