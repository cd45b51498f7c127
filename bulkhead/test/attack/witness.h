// SPDX-License-Identifier: MIT
//
// What the judge asks of the witness. The request lies in the judge's memory.
#ifndef WITNESS_H
#define WITNESS_H

#include <stdint.h>

enum request {
    REMEMBER = 1, // what is in memory now
    LEARN,        // what differs now may differ
    COMPARE,
    FAIL,
    SUCCEED,
};

struct account {
    uint32_t random, crafted;         // attempts
    uint32_t calls;                   // of them, in storms
    uint32_t faults, returns, blocks; // how orders ended
    uint32_t reads, writes;           // granted ones
};

struct witness_request {
    uint32_t request;                // 0 when it is done
    const char *line;                // FAIL: what is wrong
    uint32_t kind, variant, address; // the latest order
    struct account account;
};

extern volatile struct witness_request witness_request;

// Does what is asked, and says that it is done: for whoever takes the judge's call.
void witness_look(void);

struct witness_range {
    const void *start, *end;
};

uint32_t witness_add(uint32_t sum, uint32_t word); // to a sum of many

// An architecture's, as many as machine_witness.h says.
extern const struct witness_range machine_data[]; // all that has to be as it was
extern const struct witness_range machine_code[];
extern const struct witness_range machine_kernel_stack; // which is empty

uint32_t machine_register_sum(void); // of the registers that make the isolation

#endif
