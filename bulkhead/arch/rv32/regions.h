// SPDX-License-Identifier: MIT
//
// What protection there is: all of it. regions.inc has its part in the entry and the switch.
#ifndef ARCH_REGIONS_H
#define ARCH_REGIONS_H

#define THREAD_MSTATUS 0x80 // MPIE; MPP: user mode (3.1.6)

#endif
