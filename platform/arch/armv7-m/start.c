// SPDX-License-Identifier: MIT
//
// The first code after reset: enables faults and the FPU, then calls platform_start.
//
// Sources: Armv7-M Architecture Reference Manual (DDI 0403E) B3.2.13 SHCSR, B3.2.20 CPACR.
#include <platform/start.h>
#include <stdint.h>

#define SHCSR (*(volatile uint32_t *)0xE000ED24u)
#define SHCSR_MEM_BUS_USAGE_FAULTS (7u << 16)
#define CPACR (*(volatile uint32_t *)0xE000ED88u)
#define CPACR_FPU_FULL_ACCESS (15u << 20)

// Enables MemManage, BusFault and UsageFault, which otherwise become HardFault, so that a report
// names the fault. A core without an FPU ignores the FPU's field.
static void enable_core(void) {
    SHCSR |= SHCSR_MEM_BUS_USAGE_FAULTS;
    CPACR |= CPACR_FPU_FULL_ACCESS;
    __asm__ volatile("dsb\n\tisb" ::: "memory");
}

_Noreturn void Reset_Handler(void);
_Noreturn void Reset_Handler(void) {
    enable_core();
    platform_start();
}
