// SPDX-License-Identifier: MIT
//
// Tests the tickless idle mode: the kernel counts ticks exactly, compared with a clock that it does
// not use, although few ticks interrupt. The cases are long sleeps, many short sleeps, and
// interrupts of a device during a sleep, at any time within a tick.
#include "device.h"
#include "handles.h"
#include "report.h"
#include <bulkhead/bulkhead.h>

// One tick is BENCH_TIMER_HZ / BENCH_TICK_HZ cycles.
enum { TICK_CYCLES = BENCH_TIMER_HZ / BENCH_TICK_HZ };
enum { SLEEP_TICKS = 500, NAPS = 200, NAP_TICKS = 4 };
enum { ALARM_CYCLES = 1733, NEAR_CYCLES = 40, LINGERS = 10, START_TURNS = 4 };
// A short test takes each third turn: all alarms and all lingers, but not all pairs of them.
enum { TURN_STEP = TEST_LENGTH > 1 ? 1 : 3 };

volatile uint32_t tick_interrupts; // written by tick_count.c
static volatile uint32_t alarms, linger;

static uint32_t clock_ticks(void) {
    return clock_cycles() / TICK_CYCLES;
}

static void spend(uint32_t turns) {
    for (; turns != 0; turns--) {
        __asm__ volatile("nop");
    }
}

// Requires that clock and ticks agree within `slack_ticks`. The caller reads both just after a
// wake-up from a sleep, so at the same time within a tick.
static void require_exact(uint32_t since_clock, uint32_t since_ticks, uint32_t slack_ticks) {
    const uint32_t by_clock = clock_ticks() - since_clock;
    const uint32_t counted = bulkhead_page.ticks - since_ticks;
    require(by_clock - counted + slack_ticks <= 2 * slack_ticks, "ticks were lost or made");
}

// Replaces the kernel's idle thread: the same calls, but no WFI, because the emulator's time jumps
// too far in WFI. Instead, this thread asks for a long tick period again and again.
__attribute__((naked)) void __wrap_bulkhead_idle(void);
void __wrap_bulkhead_idle(void) {
    __asm__ volatile(BULKHEAD_CALL_SELF_TEXT(BULKHEAD_IDLE_WORK));
    for (;;) {
        __asm__ volatile(BULKHEAD_CALL_SELF_TEXT(BULKHEAD_IDLE_SLEEP));
    }
}

void alarmed_main(void);
void alarmed_main(void) {
    for (;;) {
        bulkhead_interrupt_wait(INTERRUPT_ALARM, BULKHEAD_FOREVER);
        device_acknowledge();
        alarms++;
        spend(linger);
    }
}

// Tests a long sleep: one tick interrupt begins a long period, and one ends it.
static void test_long_sleep(void) {
    bulkhead_delay(1);
    const uint32_t clock = clock_ticks(), ticks = bulkhead_page.ticks, before = tick_interrupts;
    bulkhead_delay(SLEEP_TICKS);
    require(bulkhead_page.ticks - ticks == SLEEP_TICKS, "a sleep was too long or too short");
    require_exact(clock, ticks, 1);
    require(tick_interrupts - before <= 2, "the tick interrupted in an idle system");
}

static void test_naps(void) {
    const uint32_t clock = clock_ticks(), ticks = bulkhead_page.ticks;
    for (uint32_t nap = 0; nap < NAPS; nap++) {
        bulkhead_delay(nap % 7);
    }
    require_exact(clock, ticks, 1);
}

// Tests alarms of a device, each at a different time within a tick. Each alarm that ends a long
// tick period early may lose a few counts of the timer.
static void test_alarms(void) {
    const uint32_t clock = clock_ticks(), ticks = bulkhead_page.ticks, before = tick_interrupts;
    device_start(ALARM_CYCLES);
    bulkhead_delay(2 * SLEEP_TICKS);
    device_stop();
    const uint32_t rung = alarms;
    require(rung > 100, "the alarm did not ring");
    require_exact(clock, ticks, 1 + rung * 2 / TICK_CYCLES);
    require(tick_interrupts - before <= 2 + 3 * rung, "the tick interrupted in an idle system");
    say("tickless: alarms ");
    say_number(rung);
}

// Tests alarms of a device just before, at and just after tick number `tick` of a sleep: the first
// tick, at which a long tick period begins, or the last, at which it ends. The driver runs for a
// different time in each turn, so that the idle thread asks for the long period at different times.
// This thread starts the device after a different time, so that alarms differ by less than a cycle.
static void test_alarms_at_tick(uint32_t tick) {
    const uint32_t clock = clock_ticks(), ticks = bulkhead_page.ticks;
    for (uint32_t turn = 0; turn < NEAR_CYCLES * LINGERS; turn += TURN_STEP) {
        linger = LINGERS - turn % LINGERS;
        bulkhead_delay(1);
        spend(turn % LINGERS * START_TURNS);
        device_start(tick * TICK_CYCLES - turn / LINGERS);
        bulkhead_delay(NAP_TICKS);
        device_stop();
    }
    linger = 0;
    require_exact(clock, ticks, 1 + NEAR_CYCLES * LINGERS * 2 / TICK_CYCLES);
}

void sleeper_main(void);
void sleeper_main(void) {
    clock_start();
    test_long_sleep();
    test_naps();
    test_alarms();
    test_alarms_at_tick(1);
    test_alarms_at_tick(NAP_TICKS);
    say(", tick interrupts ");
    say_number(tick_interrupts);
    say(" of ");
    say_number(bulkhead_page.ticks);
    succeed();
}
