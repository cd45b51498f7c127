// SPDX-License-Identifier: MIT
//
// A right is a pair: the methods that may be called, and the object on which.
//
// Each process has a table of rights, and a handle is an index into it. All tables of a system have
// the same length, a power of two, and are filled with the right to nothing. So one masked look-up
// checks the handle, the right and the kind of the object. A right names the methods that the
// process may call; every other method returns BULKHEAD_DENIED.
#ifndef KERNEL_RIGHT_H
#define KERNEL_RIGHT_H

#include "method_tables.h"

struct right {
    const struct methods *methods;
    void *object;
};

#endif
