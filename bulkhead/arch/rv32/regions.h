// SPDX-License-Identifier: MIT
//
// Makes threads run in user mode, so that the PMP applies to them. The code that changes entries of
// the PMP at a switch is in regions.inc.
#ifndef ARCH_REGIONS_H
#define ARCH_REGIONS_H

#define THREAD_MSTATUS 0x80 // MPIE; MPP: user mode (3.1.6)

#endif
