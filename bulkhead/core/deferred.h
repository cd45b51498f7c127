// SPDX-License-Identifier: MIT
//
// Deferred work. Work whose length depends on the declaration is deferred: sets of event flags,
// terminations and walks of inherited priorities that an interrupt has stopped, all due timers of a
// tick except one, and the stops and releases of threads for a budget. The idle thread does this
// work piece by piece, at the priority of the most urgent work. A thread above that priority waits
// for one piece at most, and a thread below it does not delay the work.
//
// Each work has pointers to the functions that continue it, so deferred.c does not depend on the
// files that defer work.
//
// The idle thread is the only thread whose state need not be saved: it restarts from its entry, and
// first asks for deferred work.
#ifndef KERNEL_DEFERRED_H
#define KERNEL_DEFERRED_H

#include <stddef.h>
#include <stdint.h>

struct deferred;

// The functions that continue one kind of work.
struct deferred_kind {
    // Returns the mask of the priority at which this work is to be done; 0 if nothing of it is
    // left.
    uint32_t (*urgency)(const struct deferred *work);
    // Does one piece of the work, and removes the work from the list if that was the last piece.
    void (*proceed)(struct deferred *work);
    // Called when a waiter has moved in its list of waiters, because the work may be in the middle
    // of that list. NULL if the work depends on no such list.
    void (*start_over)(struct deferred *work);
};

// Deferred work: a member of the object that the work changes. Its fields are NULL while the work
// is not deferred.
struct deferred {
    const struct deferred_kind *kind;
    struct deferred *next;
};

// Defers work, unless it is deferred already. `kind` is the same in every call for this work.
void deferred_add(struct deferred *work, const struct deferred_kind *kind);

// Removes work, if it is deferred.
void deferred_remove(struct deferred *work);

// Gives the idle thread the priority of the most urgent work, after work was deferred or a priority
// has changed. Returns this work, the oldest among works of the same priority; NULL if there is
// none.
struct deferred *deferred_prioritise(void);

// Tells all deferred work that a waiter has moved in its list: work that passes a list of waiters
// restarts at the head of the list.
void deferred_start_over(void);

#endif
