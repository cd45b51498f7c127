// SPDX-License-Identifier: MIT
//
// QEMU's `virt` has no watchdog. The declaration has a window of the clock in its place, so the
// address is that of the clock.
#ifndef WATCHDOG_PLACE_H
#define WATCHDOG_PLACE_H

#define HAS_WATCHDOG 0
#define WATCHDOG 0x00101000u

#endif
