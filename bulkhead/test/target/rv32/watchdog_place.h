// SPDX-License-Identifier: MIT
//
// QEMU's `virt` machine has no watchdog. The declaration gives the process a window on the clock
// instead, so this is the address of the clock.
#ifndef WATCHDOG_PLACE_H
#define WATCHDOG_PLACE_H

#define HAS_WATCHDOG 0
#define WATCHDOG 0x00101000u

#endif
