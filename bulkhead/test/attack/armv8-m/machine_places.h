// SPDX-License-Identifier: MIT
//
// The addresses and the clock rate of the devices that the attack test uses on QEMU's mps2-an505,
// in the Secure state, and properties of the memory protection unit. Sources: Arm application note
// AN505; Arm CoreLink SSE-200, DDI 0101.
#ifndef MACHINE_PLACES_H
#define MACHINE_PLACES_H

#define MACHINE_CODE 0x10000000u
#define MACHINE_DATA 0x38000000u
#define MACHINE_DATA_ALIAS 0x28000000u // the same memory for the Non-secure state
#define MACHINE_TIMER 0x50000000u
#define MACHINE_WATCHDOG 0x50081000u
#define MACHINE_LAMPS 0x50302040u

enum { INSTRUCTIONS_A_COUNT = 50 };

// The code that all processes share. Its MPU region begins where the smallest of the other regions
// ends.
enum { SHARED_CODE_BYTES = 0x4000, GUARD_CODE_BYTES = 1024 };
#define SHARED_CODE (((uint32_t)guard_main & ~(GUARD_CODE_BYTES - 1u)) + GUARD_CODE_BYTES)

// Registers of the MPU that the witness compares: MPU_CTRL, MAIR0, SAU_CTRL (DDI 0553, D1.2).
#define UNIT_REGISTERS 0xE000ED94u, 0xE000EDC0u, 0xE000EDD0u
#define UNIT_PRIVILEGES 11 // in unit_hostile.inc
#define UNIT_REGION_SELECTED 0

// Lets unprivileged code access the devices as far as the MPU allows: APBSPPPPC0 controls the
// timers, APBSPPPPCEXP2 the LEDs. Without this, the devices read as zero.
#define MACHINE_OPEN_DEVICES()                          \
    do {                                                \
        *(volatile uint32_t *)0x500800B0u = UINT32_MAX; \
        *(volatile uint32_t *)0x500800C8u = UINT32_MAX; \
    } while (0)

#endif
