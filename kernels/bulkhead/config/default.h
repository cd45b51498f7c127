// SPDX-License-Identifier: MIT
//
// The scenario's tasks in one process, its objects in user space: what a product gets that puts
// threads which trust each other into one process. Protection is on; which process has what is in
// kernel.toml.
#ifndef BULKHEAD_CONFIG_DEFAULT_H
#define BULKHEAD_CONFIG_DEFAULT_H

// How the port reaches objects: objects_local.h without a system call, objects_kernel.h by one.
#define PORT_OBJECTS "objects_local.h"

#endif
