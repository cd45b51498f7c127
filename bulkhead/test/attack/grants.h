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

// Both apply to each of the `bytes` from `address`.
bool grants_may_read(uint32_t address, uint32_t bytes);
bool grants_may_write(uint32_t address, uint32_t bytes);
bool grants_may_run(uint32_t address);

// Finds the grants; machine_plan.c defines this.
void grants_find(struct grant grants[GRANTS]);

#endif
