// SPDX-License-Identifier: MIT
//
// The address of the two timers of device.h on QEMU's machines with an Armv7-M core: Arm
// application notes AN385, AN386 and AN500.
#ifndef DEVICE_PLACES_H
#define DEVICE_PLACES_H

#define DEVICE_TIMERS 0x40000000u

#endif
