// SPDX-License-Identifier: MIT
//
// One process, every service by system call: what the user-space paths of `default` save.
#ifndef BULKHEAD_CONFIG_KERNEL_CALLS_H
#define BULKHEAD_CONFIG_KERNEL_CALLS_H

#define PORT_OBJECTS "objects_kernel.h"

#endif
