// SPDX-License-Identifier: MIT
//
// Each task of the scenario is in a process of its own, and every object is in the kernel. The
// scenario's variables, which its tasks share, are a region that every process can access.
#ifndef BULKHEAD_CONFIG_PROCESS_EACH_H
#define BULKHEAD_CONFIG_PROCESS_EACH_H

#define PORT_OBJECTS "objects_kernel.h"

#endif
