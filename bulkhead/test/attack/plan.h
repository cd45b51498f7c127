// SPDX-License-Identifier: MIT
//
// What is attempted: orders at random, and crafted ones; and what is granted to the attacker.
#ifndef PLAN_H
#define PLAN_H

#include "order.h"
#include <stddef.h>
#include <stdbool.h>

void plan_begin(uint32_t seed);
uint32_t plan_random(void);
struct order plan_random_order(void);

// The n-th of the crafted ones: every boundary in memory by every kind of attempt, in turn.
struct order plan_crafted_order(uint32_t n);

// One of those that do no harm: legal calls, and simple faults.
struct order plan_legal_order(uint32_t n);

// Whether a thread of the attacker may do this with each of `bytes` at `address`.
bool plan_may_write(uint32_t address, uint32_t bytes);
bool plan_may_run(uint32_t address);

// The same for what a variant of LOAD, STORE touches.
bool plan_may_load(uint32_t variant, uint32_t address);
bool plan_may_store(uint32_t variant, uint32_t address);

#endif
