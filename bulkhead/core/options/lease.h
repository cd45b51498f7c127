// SPDX-License-Identifier: MIT
//
// Memory that a client lends to a server with a call: lease.c.
#ifndef KERNEL_LEASE_H
#define KERNEL_LEASE_H

#include "kernel.h"

// The memory that a client lends. Without a lease `access` is 0.
struct lease {
    uint32_t address, bytes;
    uint32_t access; // BULKHEAD_LEND_READ, BULKHEAD_LEND_WRITE
};

// Memory that a thread accesses without the kernel, except devices.
struct reach {
    uint32_t start, bytes;
    uint32_t access;
};

// Of one thread: its stack, the code that all processes share, and the regions of its process.
enum { KERNEL_REACHES = 6 };

// In the order of kernel_threads. The rows come from the declaration.
extern struct lease kernel_leases[];
extern const struct reach kernel_reaches[][KERNEL_REACHES];

#endif
