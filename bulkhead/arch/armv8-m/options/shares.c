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
#include "internal.h"
#include "objects.h"

enum {
    SHARES_ACCESS = 1 << 1 | 1 << 7, // DACCVIOL and MMARVALID of CFSR
    SHARES_RIGHTS = 7,               // AP and XN of RBAR
    SHARES_READ_ONLY = 7,            // for all, and no code
    SHARES_FIRST_REGION = 4,         // of a process: regions.inc
    SHARES_UNIT = 32,                // of a region's address and limit
};

#define SHARES_MMFAR (*(volatile uint32_t *)0xE000ED34u)
#define SHARES_RLAR (*(volatile uint32_t *)0xE000EDA0u)
#define SHARES_ICSR (*(volatile uint32_t *)0xE000ED04u)
#define SHARES_PENDSVSET (1u << 28)

static bool is_read_only(const struct arch_region *region, uint32_t address) {
    const uint32_t first = region->base & ~(uint32_t)(SHARES_UNIT - 1);
    const uint32_t last = region->attributes | (SHARES_UNIT - 1); // RLAR
    return (region->base & SHARES_RIGHTS) == SHARES_READ_ONLY && region->attributes != 0 &&
           address - first <= last - first;
}

static void disable(uint32_t number) {
    ARCH_MPU_RNR = number;
    SHARES_RLAR = 0;
    ARCH_MPU_RNR = 0;
    __asm__ volatile("dsb" ::: "memory");
}

bool shares_open(uint32_t status) {
    const struct arch_region *regions = kernel.process->regions.each;
    if ((status & SHARES_ACCESS) != SHARES_ACCESS) {
        return false;
    }
    for (uint32_t i = 0; i < sizeof kernel.process->regions / sizeof *regions; i++) {
        if (is_read_only(&regions[i], SHARES_MMFAR)) {
            disable(SHARES_FIRST_REGION + i);
            ARCH_CFSR = status;
            SHARES_ICSR = SHARES_PENDSVSET;
            return true;
        }
    }
    return false;
}
