// SPDX-License-Identifier: MIT
//
// Lets the kernel write to regions that a process may only read, on Armv8-M.
//
// No region of PMSAv8 lets privileged code write and unprivileged code only read. While a reader
// runs, the kernel may have to write to such a region: the word of an object of the process that
// owns the region, or the result in the frame of a thread that has its stack pointer there. Such a
// write faults. The fault handler disables the region and repeats the write: then the default map
// applies, in which only privileged code reaches memory. PendSV, which is taken before the kernel
// returns to any thread, loads the regions again. No call comes between the fault and PendSV: calls
// and interrupts have one priority, and a call has the lower exception number, so it is taken
// before an interrupt that is pending with it.
//
// No interrupt comes while PendSV loads the regions of another process (unit.inc), so RNR is 0 at
// such a write, and the registers of the MPU say which regions are in force.
#include "internal.h"
#include "objects.h"

enum {
    SHARES_ACCESS = 1 << 1 | 1 << 7, // DACCVIOL and MMARVALID of CFSR
    SHARES_RIGHTS = 7,               // AP and XN of RBAR
    SHARES_READ_ONLY = 7,            // AP and XN: all code may read, none may write or execute
    SHARES_ENABLED = 1,              // EN, a bit of RLAR
    SHARES_FIRST_REGION = 4,         // the first region of a process (regions.inc)
    SHARES_END_REGION = 8,           // the region after the last one of a process
    SHARES_UNIT = 32,                // the unit of a region's address and limit, in bytes
};

#define SHARES_MMFAR (*(volatile uint32_t *)0xE000ED34u)
#define SHARES_RBAR (*(volatile uint32_t *)0xE000ED9Cu)
#define SHARES_RLAR (*(volatile uint32_t *)0xE000EDA0u)
#define SHARES_ICSR (*(volatile uint32_t *)0xE000ED04u)
#define SHARES_PENDSVSET (1u << 28)

static bool is_read_only(uint32_t base, uint32_t limit, uint32_t address) {
    const uint32_t first = base & ~(uint32_t)(SHARES_UNIT - 1);
    const uint32_t last = limit | (SHARES_UNIT - 1);
    return (base & SHARES_RIGHTS) == SHARES_READ_ONLY && (limit & SHARES_ENABLED) != 0 &&
           address - first <= last - first;
}

// Disables the region of the process that refuses a write to `address`. Returns false if no region
// of the process does.
static bool disable(uint32_t address) {
    for (uint32_t number = SHARES_FIRST_REGION; number < SHARES_END_REGION; number++) {
        ARCH_MPU_RNR = number;
        if (is_read_only(SHARES_RBAR, SHARES_RLAR, address)) {
            SHARES_RLAR = 0;
            return true;
        }
    }
    return false;
}

bool shares_open(uint32_t status) {
    if ((status & SHARES_ACCESS) != SHARES_ACCESS || !disable(SHARES_MMFAR)) {
        return false;
    }
    ARCH_MPU_RNR = 0;
    __asm__ volatile("dsb" ::: "memory");
    ARCH_CFSR = status;
    SHARES_ICSR = SHARES_PENDSVSET;
    return true;
}
