// SPDX-License-Identifier: MIT
//
// Plans the attacks: functions that make random orders and crafted orders for the attacker.
#ifndef PLAN_H
#define PLAN_H

#include "order.h"
#include <stdbool.h>

void plan_begin(uint32_t seed);
uint32_t plan_random(void);
uint32_t plan_below(uint32_t limit);

// Each of these functions plans the n-th order of its series. The caller provides the memory of the
// order, because a copy on the stack would take another four hundred bytes.
typedef void planner(struct order *planned, uint32_t n);
planner plan_random_order;
planner plan_crafted_order; // every boundary in memory, with every kind of attempt
planner plan_legal_order;   // harmless: legal calls and simple faults

// --- The architecture's: machine_plan.c ----------------------------------------------------------

// Addresses of boundaries that the linker and the processor define.
extern const uint32_t plan_places[];
extern const uint32_t plan_place_count;
extern char attacker_data_start[], attacker_stack[], common_start[];
enum { PLAN_DATA_BYTES = 1024, PLAN_STACK_BYTES = 512, PLAN_COMMON_BYTES = 32 }; // sizes

// Completes a random order with the parts that only this architecture has.
void plan_refine(struct order *planned);

// Return whether the attacker may access what this variant of LOAD or STORE accesses.
bool plan_may_load(uint32_t variant, uint32_t address);
bool plan_may_store(uint32_t variant, uint32_t address);

// Returns whether the emulator, unlike a processor, allows the kernel's copy functions to access
// this address on behalf of any thread.
bool plan_is_overlooked(uint32_t address);

#endif
