// SPDX-License-Identifier: MIT
//
// Addresses and clock rate of the devices that the attack test uses on QEMU's machines with Armv7-M
// cores (mps2-an386 and mps2-an500), and properties of the memory protection unit. Source: Arm
// application notes AN386 and AN500.
#ifndef MACHINE_PLACES_H
#define MACHINE_PLACES_H

#define MACHINE_CODE 0u
#define MACHINE_DATA 0x20000000u
#define MACHINE_DATA_ALIAS 0x22000000u // the bit band
#define MACHINE_TIMER 0x40000000u
#define MACHINE_WATCHDOG 0x40008000u
#define MACHINE_LAMPS 0x40028040u

enum { INSTRUCTIONS_A_COUNT = 40 };

// The code that all processes share. Its MPU region begins at a multiple of its size.
enum { SHARED_CODE_BYTES = 0x4000 };
#define SHARED_CODE ((uint32_t)&bulkhead_local_queue_send & ~(SHARED_CODE_BYTES - 1u))

// Registers of the MPU that the witness compares: MPU_CTRL (DDI 0403E, B3.5).
#define UNIT_REGISTERS 0xE000ED94u
#define UNIT_PRIVILEGES 0
#define UNIT_REGION_SELECTED 7 // any: the kernel names each region as it loads it

// Does nothing. On Armv8-M boards this lets unprivileged code access the devices; on this board it
// always may.
#define MACHINE_OPEN_DEVICES()

#endif
