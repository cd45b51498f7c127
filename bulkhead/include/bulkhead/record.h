// SPDX-License-Identifier: MIT
//
// The record that survives a reset. The kernel writes an entry for each fault of a process, and
// before each reset that it makes: after a panic of its own, a watchdog's interrupt, or a call of
// bulkhead_record_reset. A loss of power empties the record.
#ifndef BULKHEAD_RECORD_H
#define BULKHEAD_RECORD_H

#include <stdint.h>

enum bulkhead_cause {
    BULKHEAD_CAUSE_FAULT = 1, // a fault of a thread; the system continued
    BULKHEAD_CAUSE_PANIC,     // the kernel found an error in itself, or a late fault of a device
    BULKHEAD_CAUSE_WATCHDOG, // the watchdog's interrupt (NMI): the watchdog was not cleared in time
    BULKHEAD_CAUSE_RESET,    // a call of bulkhead_record_reset
};

struct bulkhead_record_entry {
    uint32_t number; // number of the entry: 1 for the first one after the power was switched on
    // The number of the kernel start in which the entry was written; starts are counted from 1.
    uint32_t start;
    uint32_t cause;   // a value of enum bulkhead_cause
    uint32_t ticks;   // ticks since that start
    uint32_t thread;  // handle of the thread that ran; 0 for none and for the idle thread
    uint32_t kind;    // fault: its kind (fault.h); reset: its reason; panic: the fault status
    uint32_t address; // fault: its address (fault.h)
    uint32_t pc;      // PC of the thread, or of the kernel if the kernel was interrupted; reset: 0
};

// The number of entries that the record has room for.
enum { BULKHEAD_RECORD_ENTRIES = 7 };

#endif
