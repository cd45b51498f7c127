// SPDX-License-Identifier: MIT
//
// Puts the processor's registers into a known state, whatever a boot loader left in them, before
// the kernel sets its own values.
//
// Does not change what the start-up code has set up: VTOR, access to the FPU, caches and SysTick.
//
// Source: Armv7-M Architecture Reference Manual (DDI 0403E) B1.4.3 masks, B3.2.5 AIRCR, B3.2.7 SCR,
// B3.2.8 CCR, B3.2.15 CFSR, B3.2.16 HFSR, B3.2.20 CPACR, B3.2.21 FPCCR, B3.4 NVIC, B3.5.4 MPU_TYPE.
#include "internal.h"

#define WORD(address) (*(volatile uint32_t *)(address))
#define ICTR WORD(0xE000E004u)
#define NVIC_ICER ((volatile uint32_t *)0xE000E180u)
#define NVIC_ICPR ((volatile uint32_t *)0xE000E280u)
#define AIRCR WORD(0xE000ED0Cu)
// VECTKEY; PRIGROUP 0: all implemented priority bits are group priority
#define AIRCR_ONE_GROUP 0x05FA0000u
#define SCR WORD(0xE000ED10u)
#define CCR WORD(0xE000ED14u)
#define CCR_CACHES (7u << 16)
#define CCR_STACK_ALIGNED (1u << 9)
#define CFSR WORD(0xE000ED28u)
#define HFSR WORD(0xE000ED2Cu)
#define CPACR WORD(0xE000ED88u)
#define FPCCR WORD(0xE000EF34u)
#define FPCCR_AUTOMATIC_AND_LAZY (3u << 30)
#define MPU_TYPE WORD(0xE000ED90u)
#define MPU_CTRL WORD(0xE000ED94u)
#define MPU_RNR WORD(0xE000ED98u)
#define MPU_RASR WORD(0xE000EDA0u)

static void disable_lines(void) {
    const uint32_t words = (ICTR & 15u) + 1;
    for (uint32_t i = 0; i < words; i++) {
        NVIC_ICER[i] = UINT32_MAX;
        NVIC_ICPR[i] = UINT32_MAX;
    }
    ARCH_ICSR = ARCH_ICSR_PENDSVCLR;
}

// Disables all MPU regions. A core may have more regions than the kernel uses, and a region with a
// higher number has precedence.
static void disable_regions(void) {
    const uint32_t regions = MPU_TYPE >> 8 & 0xFFu;
    MPU_CTRL = 0;
    for (uint32_t region = 0; region < regions; region++) {
        MPU_RNR = region;
        MPU_RASR = 0;
    }
}

void arch_known_state(void) {
    __asm__ volatile("cpsid i" ::: "memory");
    disable_lines();
    disable_regions();
    AIRCR = AIRCR_ONE_GROUP;
    SCR = 0;
    CCR = (CCR & CCR_CACHES) | CCR_STACK_ALIGNED;
    CFSR = UINT32_MAX;
    HFSR = UINT32_MAX;
    if (CPACR != 0) {
        FPCCR = FPCCR_AUTOMATIC_AND_LAZY;
    }
}

// Unmasks interrupts and calls: the last step of the start.
void arch_unmask(void) {
    __asm__ volatile("msr basepri, %0\n\tcpsie f\n\tcpsie i\n\tisb" : : "r"(0) : "memory");
}
