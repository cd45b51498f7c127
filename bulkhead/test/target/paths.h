// SPDX-License-Identifier: MIT
//
// The code paths that positions.c tests with an interrupt before each of their instructions. A path
// is the function `wait` of a thread of low priority (the lower thread), and the actions before and
// after `wait`, some of them by a thread of high priority (the higher thread).
#ifndef PATHS_H
#define PATHS_H

#include <bulkhead/bulkhead.h>
#include <stdbool.h>

struct path {
    const char *name;
    enum {
        ENDED, // the interrupt resumes the higher thread, which executes `end`
        TIMED, // the interrupt is the tick at which the timeout of the lower thread ends
        // The interrupt is the tick at which the timeout of the higher thread, in `prepare`, ends.
        RACED,
        DELIVERED, // the interrupt is the one that the lower thread waits for
    } how;
    // Each function returns whether its condition holds. A function that is NULL does nothing.
    bool (*first)(void);   // executed by the lower thread
    bool (*prepare)(void); // then executed by the higher thread
    // Then executed by the lower thread. The interrupt comes before one of the instructions.
    bool (*wait)(void);
    bool (*end)(void);     // by the higher thread, when the interrupt comes or after `wait`
    bool (*restore)(void); // by the lower thread, at the end
    bool (*rescue)(void);  // by the lowest thread, if all other threads block after the interrupt
};

// The last element of each list has no name.
extern const struct path object_paths[], gate_paths[], thread_paths[];

// `wait_ticks` is the timeout that `wait` must pass to its call. is_expected() returns whether the
// call has returned the expected result.
extern volatile uint32_t wait_ticks;
bool is_expected(enum bulkhead_result result);

bool is_ok(enum bulkhead_result result);

// For `prepare` functions that wait at most until the next tick, so that the wait may succeed or
// time out. is_in_time() accepts both results; was_in_time() then returns whether the wait
// succeeded.
bool is_in_time(enum bulkhead_result result);
bool was_in_time(void);

// A number that differs in each run of a path.
extern volatile uint32_t number;

#endif
