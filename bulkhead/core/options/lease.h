// SPDX-License-Identifier: MIT
//
// Memory that a client lends to a server with a call: lease.c.
#ifndef KERNEL_LEASE_H
#define KERNEL_LEASE_H

#include "kernel.h"

// The memory that a client lends. `access` is 0 while it lends none.
struct lease {
    uint32_t address, bytes;
    uint32_t access; // a set of BULKHEAD_LEND_READ and BULKHEAD_LEND_WRITE
};

// A range of memory that a thread can access without the kernel, except device registers.
struct reach {
    uint32_t start, bytes;
    uint32_t access;
};

// The number of ranges of one thread: its stack, the code that all processes share, and the regions
// of its process.
enum { KERNEL_REACHES = 6 };

// The leases, in the order of kernel_threads. The ranges are generated from the declaration.
extern struct lease kernel_leases[];
extern const struct reach kernel_reaches[][KERNEL_REACHES];

#endif
