// SPDX-License-Identifier: MIT
//
// The kernel's part of the communication bus.
#ifndef NODES_BUS_KERNEL_H
#define NODES_BUS_KERNEL_H

// Puts the handlers of the bus's calls into the table. Called after the scheduler's.
void bus_boot(void);

#endif
