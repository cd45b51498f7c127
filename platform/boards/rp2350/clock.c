// SPDX-License-Identifier: MIT
//
// Sets the system clock to 150 MHz: the crystal of 12 MHz, times 125, divided by 5 and by 2. Not
// run on hardware yet.
//
// Source: RP2350 Datasheet, 7.5 RESETS, 8.1.7 CLOCKS, 8.2.8 XOSC, 8.6.5 PLL.
#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t *)(address))
#define CLEAR_BITS(address) REGISTER((address) + 0x3000u) // an alias that clears the bits written

#define RESETS_RESET 0x40020000u
#define RESETS_DONE REGISTER(0x40020008u)
#define CLK_REF_CTRL REGISTER(0x40010030u)
#define CLK_REF_SELECTED REGISTER(0x40010038u)
#define CLK_SYS_CTRL REGISTER(0x4001003Cu)
#define CLK_SYS_SELECTED REGISTER(0x40010044u)
#define XOSC_CTRL REGISTER(0x40048000u)
#define XOSC_STATUS REGISTER(0x40048004u)
#define XOSC_STARTUP REGISTER(0x4004800Cu)
#define PLL_CS REGISTER(0x40050000u)
#define PLL_PWR 0x40050004u
#define PLL_FBDIV REGISTER(0x40050008u)
#define PLL_PRIM REGISTER(0x4005000Cu)

enum {
    XOSC_ENABLED_1_TO_15_MHZ = 0xFABAA0,
    XOSC_STARTUP_MS = 47, // 1 ms, in units of 256 cycles
    PLL_RESET = 1 << 14,
    PLL_POWER_AND_VCO = 1 << 0 | 1 << 5,
    PLL_POST_DIVIDERS = 1 << 3,
    PLL_BY_5_AND_2 = 5 << 16 | 2 << 12,
    REF_FROM_XOSC = 2,
    SYS_FROM_PLL = 1, // the auxiliary source, which is the PLL at reset
};

static void wait_for(volatile uint32_t *at, uint32_t bits) {
    while ((*at & bits) != bits) {
    }
}

static void start_crystal(void) {
    XOSC_STARTUP = XOSC_STARTUP_MS;
    XOSC_CTRL = XOSC_ENABLED_1_TO_15_MHZ;
    wait_for(&XOSC_STATUS, 1u << 31);
    CLK_REF_CTRL = REF_FROM_XOSC;
    wait_for(&CLK_REF_SELECTED, 1u << REF_FROM_XOSC);
}

static void start_pll(void) {
    CLEAR_BITS(RESETS_RESET) = PLL_RESET;
    wait_for(&RESETS_DONE, PLL_RESET);
    PLL_CS = 1; // the divisor of the crystal
    PLL_FBDIV = 125;
    CLEAR_BITS(PLL_PWR) = PLL_POWER_AND_VCO;
    wait_for(&PLL_CS, 1u << 31);
    PLL_PRIM = PLL_BY_5_AND_2;
    CLEAR_BITS(PLL_PWR) = PLL_POST_DIVIDERS;
}

__attribute__((constructor(101))) static void set_clock(void) {
    start_crystal();
    start_pll();
    CLK_SYS_CTRL = SYS_FROM_PLL;
    wait_for(&CLK_SYS_SELECTED, 1u << SYS_FROM_PLL);
}
