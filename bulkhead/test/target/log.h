// SPDX-License-Identifier: MIT
//
// Constants and functions that the processes of the test `log` (log.c) share.
#ifndef LOG_H
#define LOG_H

#include "handles.h"
#include <bulkhead/bulkhead.h>
#include <stdbool.h>

// Number of log entries that each thread of the teller writes. The log has room for all of them,
// and for the entries that the starts of the process write.
enum { SLOW_ENTRIES = 40, QUICK_ENTRIES = 10 };
enum { TELLER_STARTS = 2 };

// Number of accesses of the hostile process to memory of others.
enum { HOSTILE_ACCESSES = 7 };

extern volatile uint32_t starts; // number of starts of the teller
extern volatile bool hostile_is_done;

#endif
