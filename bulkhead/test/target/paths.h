// SPDX-License-Identifier: MIT
//
// What positions.c sweeps an interrupt over: a lower thread's `wait`, and what comes between.
#ifndef PATHS_H
#define PATHS_H

#include <bulkhead/bulkhead.h>
#include <stdbool.h>

struct path {
    const char *name;
    enum {
        ENDED,     // the interrupt resumes a higher thread, which does `end`
        TIMED,     // it is the tick that the lower one's timeout ends at
        RACED,     // it is the tick that the higher one's timeout ends at, which waits in `prepare`
        DELIVERED, // it is what the lower one waits for
    } how;
    // Each returns whether what must be true is; one that is left out is nothing to do.
    bool (*first)(void);   // by the lower thread
    bool (*prepare)(void); // then by the higher one
    bool (*wait)(void);    // by the lower one, with the interrupt before one of its instructions
    bool (*end)(void);     // by the higher one, when it is interrupted or after it
    bool (*restore)(void); // by the lower one
    bool (*rescue)(void);  // by the lowest, if nobody else can run when the interrupt has come
};

// Each ends with a path without a name.
extern const struct path object_paths[], gate_paths[], thread_paths[];

// Of the thread that waits in what is swept, and how its call has to end.
extern volatile uint32_t wait_ticks;
bool is_expected(enum bulkhead_result result);

bool is_ok(enum bulkhead_result result);

// For who waits in `prepare`, up to the next tick: either end will do. How it ended.
bool is_in_time(enum bulkhead_result result);
bool was_in_time(void);

// Another for each sweep of a path.
extern volatile uint32_t number;

#endif
