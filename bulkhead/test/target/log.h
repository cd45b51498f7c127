// SPDX-License-Identifier: MIT
//
// The parts that the judge and the others of the log test have in common.
#ifndef LOG_H
#define LOG_H

#include "handles.h"
#include <bulkhead/bulkhead.h>
#include <stdbool.h>

// Entries of each thread of the teller: fewer in sum than its log keeps, with those of its starts.
enum { SLOW_ENTRIES = 40, QUICK_ENTRIES = 10 };
enum { TELLER_STARTS = 2 };

// Accesses of the hostile process to what is not its own.
enum { HOSTILE_ACCESSES = 7 };

extern volatile uint32_t starts; // of the teller
extern volatile bool hostile_is_done;

#endif
