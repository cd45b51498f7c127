// SPDX-License-Identifier: MIT
//
// The address of the watchdog of QEMU's machines with an Armv7-M core: Arm application notes AN385,
// AN386 and AN500.
#ifndef WATCHDOG_PLACE_H
#define WATCHDOG_PLACE_H

#define HAS_WATCHDOG 1
#define WATCHDOG 0x40008000u

#endif
