// SPDX-License-Identifier: MIT
//
// One process, and every service is a system call. The difference to `default` is the gain of the
// user-space paths.
#ifndef BULKHEAD_CONFIG_KERNEL_CALLS_H
#define BULKHEAD_CONFIG_KERNEL_CALLS_H

#define PORT_OBJECTS "objects_kernel.h"

#endif
