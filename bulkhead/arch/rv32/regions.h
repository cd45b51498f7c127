// SPDX-License-Identifier: MIT
//
// The level of protection: all of it. regions.inc has the part of the entry and the switch.
#ifndef ARCH_REGIONS_H
#define ARCH_REGIONS_H

#define THREAD_MSTATUS 0x80 // MPIE; MPP: user mode (3.1.6)

#endif
