// SPDX-License-Identifier: MIT
//
// What is attempted: orders at random, and crafted ones.
#ifndef PLAN_H
#define PLAN_H

#include "order.h"
#include <stdbool.h>

void plan_begin(uint32_t seed);
uint32_t plan_random(void);
uint32_t plan_below(uint32_t limit);
struct order plan_random_order(void);

// The n-th of the crafted ones: every boundary in memory by every kind of attempt, in turn.
struct order plan_crafted_order(uint32_t n);

// One of those that do no harm: legal calls, and simple faults.
struct order plan_legal_order(uint32_t n);

// --- The architecture's: machine_plan.c ----------------------------------------------------------

extern const uint32_t plan_places[]; // what the linker and the processor place somewhere
extern const uint32_t plan_place_count;
extern char attacker_data_start[], attacker_stack[], common_start[];
enum { PLAN_DATA_BYTES = 1024, PLAN_STACK_BYTES = 512, PLAN_COMMON_BYTES = 32 }; // of these

// Makes something of an order that is at random so far.
void plan_refine(struct order *planned);

// What a variant of LOAD, STORE touches is granted.
bool plan_may_load(uint32_t variant, uint32_t address);
bool plan_may_store(uint32_t variant, uint32_t address);

// The emulator lets the kernel's copies reach it whoever asks, and a processor does not.
bool plan_is_overlooked(uint32_t address);

#endif
