// SPDX-License-Identifier: MIT
//
// The rights of the attacker's thread: whether it may read, write or execute an address.
#ifndef GRANTS_H
#define GRANTS_H

#include <stdbool.h>
#include <stdint.h>

struct grant {
    uint32_t start, bytes;
    bool writable, executable;
};

enum { GRANTS = 7 };

void grants_begin(void);

// These return whether the thread may read (or write) all of the `bytes` from `address`.
bool grants_may_read(uint32_t address, uint32_t bytes);
bool grants_may_write(uint32_t address, uint32_t bytes);
bool grants_may_run(uint32_t address);

// Stores the memory ranges that the attacker may access in `grants`; defined in machine_plan.c.
void grants_find(struct grant grants[GRANTS]);

#endif
