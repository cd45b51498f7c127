// SPDX-License-Identifier: MIT
//
// Sets the clock of an STM32L4 to 80 MHz: the internal oscillator MSI at 4 MHz, as after reset,
// times 40, divided by 2. Sets the flash memory to four wait states, both caches and prefetch, and
// keeps voltage range 1, as after reset. Not run on hardware yet.
//
// Sources: RM0351 and RM0394, 3.3.3 (wait states), 3.7.1 FLASH_ACR, 5.4.1 PWR_CR1, 6.4.1 RCC_CR,
// 6.4.3 RCC_CFGR, 6.4.4 RCC_PLLCFGR.
#ifndef DEVICES_STM32L4_CLOCK_H
#define DEVICES_STM32L4_CLOCK_H

#include <stdint.h>

#define STM32L4_REGISTER(address) (*(volatile uint32_t *)(address))
#define STM32L4_FLASH_ACR STM32L4_REGISTER(0x40022000u)
#define STM32L4_RCC_CR STM32L4_REGISTER(0x40021000u)
#define STM32L4_RCC_CFGR STM32L4_REGISTER(0x40021008u)
#define STM32L4_RCC_PLLCFGR STM32L4_REGISTER(0x4002100Cu)

enum {
    STM32L4_LATENCY = 4,
    STM32L4_LATENCY_MASK = 7,
    STM32L4_PREFETCH_AND_CACHES = 7 << 8,
    STM32L4_PLL_ON = 1 << 24,
    STM32L4_PLL_READY = 1 << 25,
    STM32L4_PLL_FROM_MSI = 1,
    STM32L4_PLL_TIMES_40 = 40 << 8,
    STM32L4_PLL_R_ENABLED = 1 << 24, // the divisor R is 2 at reset
    STM32L4_CLOCK_PLL = 3,
    STM32L4_CLOCK_SHIFT = 2, // position of the field in RCC_CFGR that reports the clock in use
};

static inline void stm32l4_set_clock(void) {
    STM32L4_FLASH_ACR = STM32L4_PREFETCH_AND_CACHES | STM32L4_LATENCY;
    while ((STM32L4_FLASH_ACR & STM32L4_LATENCY_MASK) != STM32L4_LATENCY) {
    }
    STM32L4_RCC_PLLCFGR = STM32L4_PLL_FROM_MSI | STM32L4_PLL_TIMES_40 | STM32L4_PLL_R_ENABLED;
    STM32L4_RCC_CR |= STM32L4_PLL_ON;
    while (!(STM32L4_RCC_CR & STM32L4_PLL_READY)) {
    }
    STM32L4_RCC_CFGR |= STM32L4_CLOCK_PLL;
    while ((STM32L4_RCC_CFGR >> STM32L4_CLOCK_SHIFT & 3u) != STM32L4_CLOCK_PLL) {
    }
}

#endif
