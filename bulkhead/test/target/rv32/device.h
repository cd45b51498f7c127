// SPDX-License-Identifier: MIT
//
// A device that interrupts and holds its interrupt line until software clears the interrupt, and a
// clock. Both are the real-time clock with alarm of QEMU's `virt` machine (Goldfish RTC,
// hw/rtc/goldfish_rtc.c), which counts nanoseconds. In these tests, a cycle is as many nanoseconds
// as there are instructions in one count of the timers of the Armv7-M machines, multiplied by the
// same factor as the tick (tick_stretch in build.py).
#ifndef DEVICE_H
#define DEVICE_H

#include <stdbool.h>
#include <stdint.h>

// A read also latches the high word for the next read.
#define RTC_TIME_LOW (*(volatile uint32_t *)0x00101000u)
#define RTC_TIME_HIGH (*(volatile uint32_t *)0x00101004u)
#define RTC_ALARM_LOW (*(volatile uint32_t *)0x00101008u) // a write sets the alarm
#define RTC_ALARM_HIGH (*(volatile uint32_t *)0x0010100Cu)
#define RTC_IRQ_ENABLED (*(volatile uint32_t *)0x00101010u)
#define RTC_CLEAR_ALARM (*(volatile uint32_t *)0x00101014u)
// Nonzero while the alarm has not come yet.
#define RTC_ALARM_STATUS (*(volatile uint32_t *)0x00101018u)
#define RTC_CLEAR_INTERRUPT (*(volatile uint32_t *)0x0010101Cu)

enum { CYCLE_NS = 120 };

static inline uint64_t clock_ns(void) {
    const uint32_t low = RTC_TIME_LOW;
    return (uint64_t)RTC_TIME_HIGH << 32 | low;
}

static inline uint64_t alarm_ns(void) {
    return (uint64_t)RTC_ALARM_HIGH << 32 | RTC_ALARM_LOW;
}

static inline void set_alarm(uint64_t due_ns) {
    RTC_ALARM_HIGH = (uint32_t)(due_ns >> 32);
    RTC_ALARM_LOW = (uint32_t)due_ns;
}

static uint32_t device_period_ns;

// Makes the device interrupt every `cycles` cycles from now on.
static inline void device_change(uint32_t cycles) {
    device_period_ns = cycles * CYCLE_NS;
    set_alarm(clock_ns() + device_period_ns);
}

static inline void device_start(uint32_t cycles) {
    RTC_IRQ_ENABLED = 1;
    device_change(cycles);
}

// Stops the device, and clears a pending interrupt.
static inline void device_stop(void) {
    RTC_IRQ_ENABLED = 0;
    RTC_CLEAR_INTERRUPT = 1;
}

static inline bool device_interrupts(void) {
    return RTC_ALARM_STATUS == 0;
}

// Returns the cycles since the device began to interrupt.
static inline uint32_t device_late_cycles(void) {
    return (uint32_t)((clock_ns() - alarm_ns()) / CYCLE_NS);
}

static inline void device_acknowledge(void) {
    RTC_CLEAR_INTERRUPT = 1;
    set_alarm(alarm_ns() + device_period_ns);
}

static uint64_t clock_began_ns;

static inline void clock_start(void) {
    clock_began_ns = clock_ns();
}

// Returns the cycles since the clock was started.
static inline uint32_t clock_cycles(void) {
    return (uint32_t)((clock_ns() - clock_began_ns) / CYCLE_NS);
}

#endif
