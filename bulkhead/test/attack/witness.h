// SPDX-License-Identifier: MIT
//
// The request of the judge to the witness. It lies in the judge's memory.
#ifndef WITNESS_H
#define WITNESS_H

#include <stdint.h>

enum request {
    REMEMBER = 1, // remembers the present contents of memory
    LEARN,        // allows the words that differ now to differ
    COMPARE,
    FAIL,
    SUCCEED,
};

struct account {
    uint32_t random, crafted;         // attempts
    uint32_t calls;                   // calls in storms
    uint32_t faults, returns, blocks; // outcomes of orders
    uint32_t reads, writes;           // granted accesses
};

struct witness_request {
    uint32_t request;                // 0 when the witness has completed it
    const char *line;                // FAIL: the error
    uint32_t kind, variant, address; // the latest order
    struct account account;
};

extern volatile struct witness_request witness_request;

// Carries out the request, and then clears it. The handler of the judge's call calls this.
void witness_look(void);

struct witness_range {
    const void *start, *end;
};

uint32_t witness_add(uint32_t sum, uint32_t word); // adds a word to a sum of many

// Defined by the architecture, with the lengths in machine_witness.h.
extern const struct witness_range machine_data[]; // memory that has to be unchanged
extern const struct witness_range machine_code[];
extern const struct witness_range machine_kernel_stack; // empty while the judge has control

uint32_t machine_register_sum(void); // of the registers that make the isolation

#endif
