// SPDX-License-Identifier: MIT
//
// A device that interrupts and holds its line until it is told, and a clock: the one of QEMU's
// `virt` machine with an alarm (Goldfish RTC, hw/rtc/goldfish_rtc.c), which counts nanoseconds. A
// cycle of these tests is as many of them as instructions are in a count of Armv7-M's timers,
// stretched as the tick is (build.py).
#ifndef DEVICE_H
#define DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#define RTC_TIME_LOW (*(volatile uint32_t *)0x00101000u) // keeps the high word for the next read
#define RTC_TIME_HIGH (*(volatile uint32_t *)0x00101004u)
#define RTC_ALARM_LOW (*(volatile uint32_t *)0x00101008u) // sets the alarm
#define RTC_ALARM_HIGH (*(volatile uint32_t *)0x0010100Cu)
#define RTC_IRQ_ENABLED (*(volatile uint32_t *)0x00101010u)
#define RTC_CLEAR_ALARM (*(volatile uint32_t *)0x00101014u)
#define RTC_ALARM_STATUS (*(volatile uint32_t *)0x00101018u) // whether it is still to come
#define RTC_CLEAR_INTERRUPT (*(volatile uint32_t *)0x0010101Cu)

enum { CYCLE_NS = 120 };

static inline uint64_t clock_ns(void) {
    const uint32_t low = RTC_TIME_LOW;
    return (uint64_t)RTC_TIME_HIGH << 32 | low;
}

static inline void device_alarm(uint32_t cycles) {
    const uint64_t due = clock_ns() + (uint64_t)cycles * CYCLE_NS;
    RTC_ALARM_HIGH = (uint32_t)(due >> 32);
    RTC_ALARM_LOW = (uint32_t)due;
}

static inline void device_start(uint32_t cycles) {
    RTC_IRQ_ENABLED = 1;
    device_alarm(cycles);
}

static inline void device_stop(void) {
    RTC_IRQ_ENABLED = 0;
}

static inline bool device_interrupts(void) {
    return RTC_ALARM_STATUS == 0;
}

// And it interrupts again after so many cycles.
static inline void device_acknowledge(uint32_t cycles) {
    RTC_CLEAR_INTERRUPT = 1;
    device_alarm(cycles);
}

static uint64_t clock_began_ns;

static inline void clock_start(void) {
    clock_began_ns = clock_ns();
}

// Cycles since it was started.
static inline uint32_t clock_cycles(void) {
    return (uint32_t)((clock_ns() - clock_began_ns) / CYCLE_NS);
}

#endif
