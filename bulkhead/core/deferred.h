// SPDX-License-Identifier: MIT
//
// Work whose length depends on the declaration is deferred: sets of event flags, terminations and
// walks of inherited priorities that an interrupt has stopped, and due timers except one a tick.
// The idle thread does this work piece by piece, at the priority of the most urgent: that of the
// highest thread that waits for one of the sets, of the thread that ends, of the walk, or of the
// next timer. A thread above that priority waits for one piece, and a thread below it does not
// delay the work. A set that has lost its waiters has the lowest priority.
//
// Timers for which the whole tick left no time are moved out of the heap at the highest priority
// that any timer ever had, and run at their own (tick.c).
//
// Idle is the only thread whose state need not be kept: it restarts from its entry, and first asks
// for such work.
#ifndef KERNEL_DEFERRED_H
#define KERNEL_DEFERRED_H

#include "objects.h"

// `flags` has waiters left; and is done with.
void deferred_add(struct flags *flags);
void deferred_remove(struct flags *flags);

// Gives idle the priority of the most urgent work, after work was deferred or a priority has
// changed. Returns the most urgent set; NULL if there is none, or a timer is more urgent. A
// termination or a walk may be.
struct flags *deferred_prioritise(void);

#endif
