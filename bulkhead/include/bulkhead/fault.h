// SPDX-License-Identifier: MIT
//
// What a supervisor can learn of the last fault in a process that it supervises: a process whose
// declaration names another's thread as `supervisor`. It is notified when the process has ended,
// and is launched again if it restarts; of one that faulted again before that, once.
#ifndef BULKHEAD_FAULT_H
#define BULKHEAD_FAULT_H

#include <bulkhead/bulkhead.h>
#include <bulkhead/registers.h>

enum bulkhead_fault_kind {
    BULKHEAD_FAULT_DATA = 1, // an access to what the process has no right to, or what is not there
    BULKHEAD_FAULT_CODE,     // went on where there is no code for it
    BULKHEAD_FAULT_STACK,    // its stack overflowed, or its stack pointer was elsewhere
    BULKHEAD_FAULT_INSTRUCTION, // undefined, privileged, unaligned or a division by zero
    BULKHEAD_FAULT_BREAKPOINT,  // without a debugger
    BULKHEAD_FAULT_LATE,        // a write that failed after the thread had gone on
};

struct bulkhead_fault {
    uint32_t faults;  // of the process since the kernel started; this is the last
    uint32_t thread;  // that did it: its handle
    uint32_t kind;    // enum bulkhead_fault_kind
    uint32_t address; // that was accessed, gone to or the stack's; 0 if the processor does not say
    uint32_t status;  // the processor's own word for it
    struct bulkhead_registers registers; // zeroes for what lay on a stack that failed
};

// Copies the report of `process` to `fault`, which must be the caller's. REFUSED if there was no
// fault yet. Right: `supervisor`. Constant time.
BULKHEAD_INLINE enum bulkhead_result bulkhead_fault_read(uint32_t process,
                                                         struct bulkhead_fault *fault) {
    return bulkhead_call_1(process, BULKHEAD_PROCESS_FAULT_READ, (uint32_t)fault);
}

// --- What lies where -----------------------------------------------------------------------------
// Made from the declaration, for whoever has to put a name to an address. No system call.

struct bulkhead_place {
    uint32_t address, bytes;
    const char *name; // of a region, a window, a stack or code
};

// The place that `address` is in; NULL if it is in none: the kernel's, or nobody's.
const struct bulkhead_place *bulkhead_place_of(uint32_t address);

#endif
