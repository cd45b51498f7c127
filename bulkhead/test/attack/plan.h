// SPDX-License-Identifier: MIT
//
// The plan of the attempts: random orders, and crafted orders.
#ifndef PLAN_H
#define PLAN_H

#include "order.h"
#include <stdbool.h>

void plan_begin(uint32_t seed);
uint32_t plan_random(void);
uint32_t plan_below(uint32_t limit);

// Each of these plans the n-th order of its series. An order is long, so the caller provides the
// memory: a copy on the stack would be another four hundred bytes.
typedef void planner(struct order *planned, uint32_t n);
planner plan_random_order;
planner plan_crafted_order; // every boundary in memory, with every kind of attempt
planner plan_legal_order;   // does no harm: legal calls, and simple faults

// --- The architecture's: machine_plan.c ----------------------------------------------------------

extern const uint32_t plan_places[]; // addresses that the linker and the processor define
extern const uint32_t plan_place_count;
extern char attacker_data_start[], attacker_stack[], common_start[];
enum { PLAN_DATA_BYTES = 1024, PLAN_STACK_BYTES = 512, PLAN_COMMON_BYTES = 32 }; // sizes

// Completes an order that is random so far.
void plan_refine(struct order *planned);

// Return whether the attacker may access what this variant of LOAD or STORE accesses.
bool plan_may_load(uint32_t variant, uint32_t address);
bool plan_may_store(uint32_t variant, uint32_t address);

// Returns whether the emulator lets the kernel's copies access this address for any thread. A
// processor does not.
bool plan_is_overlooked(uint32_t address);

#endif
