// SPDX-License-Identifier: MIT
//
// The address of the watchdog of QEMU's mps2-an505.
#ifndef WATCHDOG_PLACE_H
#define WATCHDOG_PLACE_H

#define HAS_WATCHDOG 1
#define WATCHDOG 0x50081000u

#endif
