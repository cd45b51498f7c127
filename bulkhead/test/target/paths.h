// SPDX-License-Identifier: MIT
//
// The paths that positions.c sweeps an interrupt over: a lower thread's `wait`, and the actions
// before and after it.
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
    // Each function returns whether its condition holds. A function that is NULL does nothing.
    bool (*first)(void);   // by the lower thread
    bool (*prepare)(void); // then by the higher one
    bool (*wait)(void);    // by the lower one, with the interrupt before one of its instructions
    bool (*end)(void);     // by the higher one, when it is interrupted or after it
    bool (*restore)(void); // by the lower one
    bool (*rescue)(void);  // by the lowest, if no other thread can run after the interrupt
};

// Each list ends with a path without a name.
extern const struct path object_paths[], gate_paths[], thread_paths[];

// The timeout of the thread that waits in the swept code, and whether its call has the expected
// result.
extern volatile uint32_t wait_ticks;
bool is_expected(enum bulkhead_result result);

bool is_ok(enum bulkhead_result result);

// For a thread that waits in `prepare`, at most until the next tick: the wait may succeed or time
// out. The second function returns whether it succeeded.
bool is_in_time(enum bulkhead_result result);
bool was_in_time(void);

// A new number for each sweep of a path.
extern volatile uint32_t number;

#endif
