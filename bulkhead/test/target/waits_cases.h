// SPDX-License-Identifier: MIT
//
// The cases of waits.c.
//
// A step is one call. Those with a timeout have it end before the delay does:
//   xa sa ra na  starts, suspends, resumes, notifies thread a
//   t T p        takes the semaphore: waits for ever, with a timeout, not at all
//   w W q        waits for a notification: for ever, with a timeout, not at all
//   v            gives the semaphore, or has an interrupt do so
//   y z          yields, delays
//   l u          locks the mutex, which waits for ever; unlocks it
// A trace has the thread before each step, and after it `-` if it timed out and `!` if it was
// refused.
#ifndef WAITS_CASES_H
#define WAITS_CASES_H

#include <stdint.h>

struct waits_case {
    const char *main, *trace;
    const char *workers[7]; // a to g
};

extern const struct waits_case waits_cases[];
extern const uint32_t waits_case_count;

#endif
