// SPDX-License-Identifier: MIT
//
// The declaration of the world: its objects, its processes, and the kernel function of each call.
#ifndef DECLARATION_H
#define DECLARATION_H

#include "methods.h"
#include "world.h"

// Puts the objects and processes into the state that `scenario` begins with.
void declaration_begin(const struct scenario *scenario);

// Makes the call of `method` of the object that `handle` names.
MUST_USE decision declaration_dispatch(struct arch_frame *frame, uint32_t handle, uint32_t method);

void declaration_give(void);              // as an interrupt that is bound to the semaphore
void declaration_set(uint32_t flag_bits); // as one that is bound to the flags

#endif
