// SPDX-License-Identifier: MIT
//
// The request of the judge to the witness of the attack test, in memory of the judge.
#ifndef WITNESS_H
#define WITNESS_H

#include <stdint.h>

enum request {
    REMEMBER = 1, // remembers the present content of memory
    LEARN,        // from now on, ignores the words that differ at present
    COMPARE,
    FAIL,
    SUCCEED,
};

struct account {
    uint32_t random, crafted; // number of random and of crafted attempts
    uint32_t calls;           // number of calls in STORM orders
    // Number of orders that ended by a fault, returned, or blocked.
    uint32_t faults, returns, blocks;
    uint32_t reads, writes; // number of accesses that the attacker had a right to
};

struct witness_request {
    uint32_t request;                // 0 when the witness has completed it
    const char *line;                // FAIL: text of the error
    uint32_t kind, variant, address; // the latest order
    struct account account;
};

extern volatile struct witness_request witness_request;

// Executes the request, then sets it to 0. The interrupt handler with which the judge calls the
// witness calls this function.
void witness_look(void);

struct witness_range {
    const void *start, *end;
};

uint32_t witness_add(uint32_t sum, uint32_t word); // returns a checksum after one more word

// Defined by the architecture, with the lengths in machine_witness.h.
extern const struct witness_range machine_data[]; // memory that must be unchanged
extern const struct witness_range machine_code[];
extern const struct witness_range machine_kernel_stack; // empty while the judge has control

uint32_t machine_register_sum(void); // checksum of the registers that enforce the isolation

#endif
