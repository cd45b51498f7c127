// SPDX-License-Identifier: MIT
//
// The functions of the communication bus that the kernel calls.
#ifndef NODES_BUS_KERNEL_H
#define NODES_BUS_KERNEL_H

// Enters the handlers of the bus's calls into the table of calls. Called after scheduler_boot.
void bus_boot(void);

#endif
