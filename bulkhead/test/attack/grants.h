// SPDX-License-Identifier: MIT
//
// What is granted to the attacker's thread: whether it may read, write or run what lies somewhere.
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

// With each of `bytes` at `address`.
bool grants_may_read(uint32_t address, uint32_t bytes);
bool grants_may_write(uint32_t address, uint32_t bytes);
bool grants_may_run(uint32_t address);

// machine_plan.c
void grants_find(struct grant grants[GRANTS]);

#endif
