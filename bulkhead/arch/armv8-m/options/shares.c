// SPDX-License-Identifier: MIT
//
// Regions that a process only reads, on Armv8-M.
//
// No region of PMSAv8 lets privileged code write and unprivileged code only read. While a reader
// runs, the kernel may have to write there: the word of an object of the process that owns the
// region, or the result in the frame of a thread that has its stack pointer there. Such a write
// faults. It is then repeated with the region disabled, so that the default map applies, in which
// only privileged code reaches memory. PendSV, which comes before the kernel returns to any thread,
// loads the regions again. No call comes between the two, because calls and interrupts have one
// priority, and a call has the lower number.
//
// No interrupt comes while PendSV loads the regions of another process (unit.inc), so RNR is 0 at
// such a write, and the registers of the unit say which regions are in force.
#include "internal.h"
#include "objects.h"

enum {
    SHARES_ACCESS = 1 << 1 | 1 << 7, // DACCVIOL and MMARVALID of CFSR
    SHARES_RIGHTS = 7,               // AP and XN of RBAR
    SHARES_READ_ONLY = 7,            // for all, and no code
    SHARES_ENABLED = 1,              // of RLAR
    SHARES_FIRST_REGION = 4,         // of a process: regions.inc
    SHARES_END_REGION = 8,           // after them
    SHARES_UNIT = 32,                // of a region's address and limit
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

// Disables the region that refuses a write to `address`. Returns false if none of a process does.
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
