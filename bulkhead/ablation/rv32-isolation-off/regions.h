// SPDX-License-Identifier: MIT
//
// Replaces regions.h of the kernel with one that protects no memory: threads run in machine mode.
// Used only to measure the cost of isolation.
#ifndef ARCH_REGIONS_H
#define ARCH_REGIONS_H

#define THREAD_MSTATUS 0x1880 // MPIE; MPP: machine mode (3.1.6)

#endif
