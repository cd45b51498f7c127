// SPDX-License-Identifier: MIT
//
// Each task of the scenario in a process of its own, every object in the kernel. The scenario's
// variables, which its tasks share, are a region that is granted to each of the processes.
#ifndef BULKHEAD_CONFIG_PROCESS_EACH_H
#define BULKHEAD_CONFIG_PROCESS_EACH_H

#define PORT_OBJECTS "objects_kernel.h"

#endif
