// SPDX-License-Identifier: MIT
//
// What protection there is: none, threads in machine mode. To measure by, and for nothing else.
#ifndef ARCH_REGIONS_H
#define ARCH_REGIONS_H

#define THREAD_MSTATUS 0x1880 // MPIE; MPP: machine mode (3.1.6)

#endif
