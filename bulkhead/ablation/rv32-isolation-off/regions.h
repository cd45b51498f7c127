// SPDX-License-Identifier: MIT
//
// The level of protection: none, with threads in machine mode. For measurements, and for nothing
// else.
#ifndef ARCH_REGIONS_H
#define ARCH_REGIONS_H

#define THREAD_MSTATUS 0x1880 // MPIE; MPP: machine mode (3.1.6)

#endif
