// SPDX-License-Identifier: MIT
//
// The record that survives a reset. The kernel writes an entry for each fault of a process, and
// before each reset that it makes: after a panic of its own, a watchdog's interrupt, or a call of
// bulkhead_record_reset. A loss of power empties the record.
#ifndef BULKHEAD_RECORD_H
#define BULKHEAD_RECORD_H

#include <stdint.h>

enum bulkhead_cause {
    BULKHEAD_CAUSE_FAULT = 1, // of a thread; the system went on
    BULKHEAD_CAUSE_PANIC,     // the kernel found an error in itself, or a late fault of a device
    BULKHEAD_CAUSE_WATCHDOG,  // the watchdog's interrupt (NMI): it was not fed in time
    BULKHEAD_CAUSE_RESET,     // bulkhead_record_reset
};

struct bulkhead_record_entry {
    uint32_t number;  // of the entry: 1 for the first after power came
    uint32_t start;   // number of the start of the kernel in which it was written, from 1 on
    uint32_t cause;   // enum bulkhead_cause
    uint32_t ticks;   // since that start
    uint32_t thread;  // handle of the thread that ran; 0 if none did, or the idle thread
    uint32_t kind;    // of a fault (fault.h); of a reset its reason; of a panic the fault status
    uint32_t address; // of a fault (fault.h)
    uint32_t pc;      // of the thread, or of the kernel if that was interrupted; 0 of a reset
};

// The number of entries that are kept.
enum { BULKHEAD_RECORD_ENTRIES = 7 };

#endif
