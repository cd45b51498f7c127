// SPDX-License-Identifier: MIT
//
// The report of a process's last fault, for its supervisor: the thread of another process that the
// declaration names as `supervisor`. The kernel notifies the supervisor when the process is
// terminated and, if it restarts, launched again. If the process faults again before that, the
// supervisor is notified once.
#ifndef BULKHEAD_FAULT_H
#define BULKHEAD_FAULT_H

#include <bulkhead/bulkhead.h>
#include <bulkhead/registers.h>

enum bulkhead_fault_kind {
    BULKHEAD_FAULT_DATA = 1, // an access without the right to it, or to an address without memory
    BULKHEAD_FAULT_CODE,     // a jump to an address where the process has no code
    BULKHEAD_FAULT_STACK,    // a stack overflow, or a stack pointer outside the stack
    // an undefined or privileged instruction, an unaligned access, or a division by zero
    BULKHEAD_FAULT_INSTRUCTION,
    BULKHEAD_FAULT_BREAKPOINT, // a breakpoint without a debugger
    BULKHEAD_FAULT_LATE, // a write whose failure was reported after later instructions had run
};

struct bulkhead_fault {
    uint32_t faults; // number of faults of the process since the kernel started
    uint32_t thread; // handle of the thread that faulted
    uint32_t kind;   // a value of enum bulkhead_fault_kind
    // address of the access or the jump, or the stack pointer if the stack failed; otherwise the PC
    uint32_t address;
    uint32_t status; // fault status register of the processor (CFSR; RV32: mcause)
    // The registers of the thread. A register is 0 if the processor could not store it, because the
    // stack failed.
    struct bulkhead_registers registers;
};

// --- Names of addresses --------------------------------------------------------------------------
// They are generated from the declaration. No function here makes a system call.

struct bulkhead_place {
    uint32_t address, bytes;
    const char *name; // name of a region, a window, a stack or code
};

// Returns the named address range that contains `address`. Returns NULL for the kernel's memory and
// for addresses without memory.
const struct bulkhead_place *bulkhead_place_of(uint32_t address);

#endif
