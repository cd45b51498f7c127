// SPDX-License-Identifier: MIT
//
// An explicit-state explorer: from each state of the world it takes every step that is possible,
// and goes on from each state that it has not seen.
//
// The world is this program's static data, saved and restored as a whole, so whatever is kept there
// (coroutines and their stacks too) is part of the state. What the explorer knows is on the heap.
#ifndef EXPLORE_H
#define EXPLORE_H

#include <stdint.h>

// The world: how many steps are possible now; takes one; its name.
uint32_t world_steps(void);
void world_take(uint32_t step);
const char *world_step_name(uint32_t step);

// What is wrong with the state, or NULL. `rests`: no step is possible any more.
const char *world_wrong(int rests);

// Explores all that can come of the present state, which is restored at the end. Ends the program
// if a state is wrong, with the steps that lead there. Returns the number of states.
uint32_t explore(const char *name);

#endif
