// SPDX-License-Identifier: MIT
//
// Work that would grow with what is declared, and so is put off: sets of event flags and ends of
// threads that an interrupt has stopped, and timers that are due, but for one a tick. Idle goes on
// with them, piece by piece, always at the priority of the most urgent: that of the highest thread
// that waits for one of the sets, of the thread that ends, or of the next timer. Nobody above it is
// delayed, nobody below it delays them. A set that has lost its waiters has the lowest.
//
// Timers for which the whole tick left no time are moved out of the heap at the highest priority
// that any timer ever had, and run at their own (tick.c).
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
// Returns the most urgent set; NULL if there is none, or a timer is more urgent. An end may be.
struct flags *deferred_prioritise(void);

#endif
