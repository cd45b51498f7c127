// SPDX-License-Identifier: MIT
//
// Work that would grow with the waiters, and so is stopped where an interrupt is pending: sets of
// event flags that are under way. Idle goes on with them, at the priority of the highest thread
// that waits for one: nobody above it is delayed, nobody below it delays them. It keeps the highest
// such priority until nothing is left.
//
// Idle is the one thread of which no state need be kept: whatever it did, it begins anew, and asks
// for such work first.
#ifndef KERNEL_DEFERRED_H
#define KERNEL_DEFERRED_H

#include "objects.h"

// `flags` has waiters left; and is done with.
void deferred_add(struct flags *flags);
void deferred_remove(struct flags *flags);

// Gives idle the priority of what is most urgent: something was put off, or a priority has changed.
struct flags *deferred_prioritise(void);

#endif
