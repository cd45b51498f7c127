// SPDX-License-Identifier: MIT
//
// The address of the two timers of device.h on QEMU's mps2-an505, in the Secure state: Arm
// application note AN505.
#ifndef DEVICE_PLACES_H
#define DEVICE_PLACES_H

#define DEVICE_TIMERS 0x50000000u

#endif
