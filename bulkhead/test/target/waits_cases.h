// SPDX-License-Identifier: MIT
//
// The notation of the test cases of waits.c (waits_cases.c).
//
// A step is one call, written as one letter. A timeout is shorter than the delay of the step `z`:
//   xa sa ra na  starts, suspends, resumes, notifies thread a
//   t T p        takes the semaphore: waits for ever, with a timeout, not at all
//   w W q        waits for a notification: for ever, with a timeout, not at all
//   v            gives the semaphore, or has an interrupt do so
//   y z          yields, delays
//   l u          locks the mutex, which waits for ever; unlocks it
// In a trace, the letter of the thread precedes each step. `-` follows a step that timed out, `!` a
// step that was refused.
#ifndef WAITS_CASES_H
#define WAITS_CASES_H

#include <stdint.h>

struct waits_case {
    const char *main, *trace;
    const char *workers[7]; // programs of the threads a to g
};

extern const struct waits_case waits_cases[];
extern const uint32_t waits_case_count;

#endif
