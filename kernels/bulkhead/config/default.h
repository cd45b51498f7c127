// SPDX-License-Identifier: MIT
//
// All tasks of the scenario are in one process and its objects are in user space, as in a product
// that puts threads that trust each other into one process. Protection is on. kernel.toml defines
// the contents of the processes.
#ifndef BULKHEAD_CONFIG_DEFAULT_H
#define BULKHEAD_CONFIG_DEFAULT_H

// Selects how the port uses objects: objects_local.h without system calls, objects_kernel.h by
// system calls.
#define PORT_OBJECTS "objects_local.h"

#endif
