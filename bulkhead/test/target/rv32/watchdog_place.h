// SPDX-License-Identifier: MIT
//
// QEMU's `virt` has no watchdog. The address is that of the clock, which the declaration has in its
// place.
#ifndef WATCHDOG_PLACE_H
#define WATCHDOG_PLACE_H

#define HAS_WATCHDOG 0
#define WATCHDOG 0x00101000u

#endif
