// SPDX-License-Identifier: MIT
//
// The system that the model explores, as the generator would make it from a declaration: its
// objects, its processes, and the kernel function of each call.
#ifndef DECLARATION_H
#define DECLARATION_H

#include "methods.h"
#include "world.h"

// Puts the objects and processes into the initial state of `scenario`.
void declaration_begin(const struct scenario *scenario);

// Calls the kernel function of `method` of the object that `handle` names.
MUST_USE struct thread *declaration_dispatch(struct arch_frame *frame, uint32_t handle,
                                             uint32_t method);

void declaration_give(void); // gives the semaphore, as an interrupt that is bound to it does
void declaration_set(uint32_t flag_bits); // sets flags, as an interrupt that is bound to them does

#endif
