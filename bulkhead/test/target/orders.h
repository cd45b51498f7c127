// SPDX-License-Identifier: MIT
//
// The order of the prover to the suspect. The order lies in the suspect's own memory, which the
// prover shares: after a fault the process is restarted and finds it empty.
#ifndef ORDERS_H
#define ORDERS_H

#include <stdint.h>

enum attempt {
    NOTHING,
    READ,      // loads from `address`
    WRITE,     // stores `value` there
    JUMP,      // branches there
    CALL_FROM, // makes a null call with the stack pointer there
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
    uint32_t done;   // set if the attempt returned
};

enum { ORDERS_BYTES = 64 }; // size of the region of the order: system.toml

extern volatile struct order order;

#endif
