// SPDX-License-Identifier: MIT
//
// An explicit-state explorer: executes every possible step from each state of the model (the
// world), and continues from each state that it has not seen before.
//
// The world is this program's static data, which is saved and restored as a whole, so all static
// data (also coroutines and their stacks) is part of the state. The explorer's own data is on the
// heap.
#ifndef EXPLORE_H
#define EXPLORE_H

#include <stdint.h>

// The interface of the world, which the explorer drives.
uint32_t world_steps(void); // the number of steps that are possible in the present state
void world_take(uint32_t step);
const char *world_step_name(uint32_t step);

// Returns an error if the state is wrong, otherwise NULL. `rests` is true if no further step is
// possible.
const char *world_wrong(int rests);

// Explores all states that the present state can reach, and restores the present state at the end.
// If a state is wrong, prints the steps that lead there and ends the program. Returns the number of
// states.
uint32_t explore(const char *name);

#endif
