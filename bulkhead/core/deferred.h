// SPDX-License-Identifier: MIT
//
// Work whose length depends on the declaration is deferred: sets of event flags, terminations and
// walks of inherited priorities that an interrupt has stopped, and due timers except one a tick.
// The idle thread does this work piece by piece, at the priority of the most urgent work. A thread
// above that priority waits for one piece, and a thread below it does not delay the work.
//
// Work carries the functions that continue it, so deferred.c knows no file that defers work.
//
// Idle is the only thread whose state need not be kept: it restarts from its entry, and first asks
// for such work.
#ifndef KERNEL_DEFERRED_H
#define KERNEL_DEFERRED_H

#include <stddef.h>
#include <stdint.h>

struct deferred;

// The functions of one kind of work.
struct deferred_kind {
    // Returns the mask of the priority at which the work is to be done; 0 if nothing is left to do.
    uint32_t (*urgency)(const struct deferred *work);
    // Does one piece, and removes the work if that was the last piece.
    void (*proceed)(struct deferred *work);
    // A waiter has changed its place in its list; NULL if that is all the same to the work.
    void (*start_over)(struct deferred *work);
};

// One piece of work: a member of the object that the work is done to. Its fields are NULL while the
// work is not deferred.
struct deferred {
    const struct deferred_kind *kind;
    struct deferred *next;
};

// Defers work, unless it is deferred already. `kind` is the same each time.
void deferred_add(struct deferred *work, const struct deferred_kind *kind);

// Removes work, if it is deferred.
void deferred_remove(struct deferred *work);

// Gives idle the priority of the most urgent work, after work was deferred or a priority has
// changed. Returns that work, the oldest among equals; NULL if there is none.
struct deferred *deferred_prioritise(void);

// A waiter has changed its place in its list: work that passes a list begins again at its head.
void deferred_start_over(void);

#endif
