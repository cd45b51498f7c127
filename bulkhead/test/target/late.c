// SPDX-License-Identifier: MIT
//
// Tests timers that are late for many ticks because a thread of higher priority (the prover) does
// not stop running. The late timers may delay the highest thread, which sleeps for one tick again
// and again, only by the time that the kernel needs to move one timer. A thread between the highest
// and the running thread also wakes on time. Each late timer then expires once for all periods that
// it missed, and afterwards at its usual ticks.
//
// Threads of lower priorities than the running thread sleep too, so that overdue timeouts and
// timers of many priorities are in the kernel's heap together.
#include "late.h"
#include "device.h"
#include "handles.h"
#include "report.h"
#include <bulkhead/bulkhead.h>

enum { SLEEPERS = 8, BUSY_TICKS = 80, SETTLE_TICKS = 2 * PERIOD_TICKS };

// Limit of the delay by one overdue timer, in cycles of the clock. A cycle is 40 instructions; on
// RV32 it is 120.
#ifdef __OPTIMIZE__
enum { MOVE_CYCLES = 6 };
#else
enum { MOVE_CYCLES = 30 };
#endif

volatile struct late late;
static volatile uint32_t busy_until; // the tick until which the other threads sleep
static volatile uint32_t earliest, latest;
static volatile uint32_t middle_rounds, moved_at;

static bool is_busy(void) {
    return (int32_t)(busy_until - bulkhead_ticks()) > 0;
}

// --- The highest thread --------------------------------------------------------------------------

// Records how many cycles of the clock have passed, less the cycles of the ticks that have passed:
// the delay of the highest thread.
static void note_lateness(uint32_t start_tick, uint32_t start_cycles) {
    const uint32_t ticks = bulkhead_ticks() - start_tick;
    const uint32_t late_cycles = clock_cycles() - start_cycles - ticks * LATE_TICK_CYCLES;
    if ((int32_t)(late_cycles - earliest) < 0) {
        earliest = late_cycles;
    }
    if ((int32_t)(late_cycles - latest) > 0) {
        latest = late_cycles;
    }
}

void high_main(void);
void high_main(void) {
    for (;;) {
        bulkhead_notification_wait(BULKHEAD_FOREVER);
        bulkhead_delay(1);
        const uint32_t start_tick = bulkhead_ticks(), start_cycles = clock_cycles();
        earliest = 0;
        latest = 0;
        while (is_busy()) {
            const uint32_t before = bulkhead_ticks();
            bulkhead_delay(1);
            require(bulkhead_ticks() == before + 1, "the highest thread was woken at a later tick");
            note_lateness(start_tick, start_cycles);
        }
    }
}

// --- Other threads -------------------------------------------------------------------------------

// A thread above the running thread, which must wake on time too.
void middle_main(void);
void middle_main(void) {
    for (;;) {
        bulkhead_notification_wait(BULKHEAD_FOREVER);
        while (is_busy()) {
            const uint32_t before = bulkhead_ticks();
            bulkhead_delay(2);
            require(bulkhead_ticks() == before + 2, "a thread between was woken at a later tick");
            middle_rounds++;
        }
    }
}

// A thread below the running thread: it wakes as late as the timers, unless its priority is raised
// above the running thread's.
void sleeper_main(void);
void sleeper_main(void) {
    for (;;) {
        bulkhead_notification_wait(BULKHEAD_FOREVER);
        bulkhead_delay(1);
        moved_at = bulkhead_ticks();
    }
}

// --- The prover, which leaves other threads no processor time ------------------------------------

static void spin_until(uint32_t tick) {
    while ((int32_t)(tick - bulkhead_ticks()) > 0) {
    }
}

static void start_timers(uint32_t timers) {
    late.timers = timers;
    bulkhead_notify(THREAD_LOW);
    bulkhead_delay(1); // lets the late timers expire
}

static void start_all(uint32_t timers) {
    start_timers(timers);
    busy_until = bulkhead_ticks() + BUSY_TICKS;
    bulkhead_notify(THREAD_HIGH);
    bulkhead_notify(THREAD_MIDDLE);
    for (uint32_t each = 0; each < SLEEPERS; each++) {
        bulkhead_notify(THREAD_S0 + each);
    }
}

// Tests that a sleeper whose timeout is overdue wakes at once when its priority is raised.
static void test_moved(void) {
    const uint32_t before = bulkhead_ticks();
    bulkhead_set_priority(THREAD_S7, 2);
    require(moved_at == before, "a late timeout stays when its thread is moved");
    bulkhead_set_priority(THREAD_S7, 19);
}

static void stop_all(void) {
    late.timers = 0;
    require(bulkhead_notification_wait(10 * PERIOD_TICKS) == BULKHEAD_OK,
            "the timers' thread did not end");
}

// Returns the difference between the latest and the earliest wake-up of the highest thread,
// relative to its ticks, with `timers` late timers.
static uint32_t late_with(uint32_t timers) {
    middle_rounds = 0;
    start_all(timers);
    bulkhead_delay(1); // lets the sleepers begin to sleep
    spin_until(busy_until + 2);
    require(middle_rounds > BUSY_TICKS / 3, "a thread between slept too seldom");
    require(late.expired == 0, "a timer ran although a higher thread left no time");
    bulkhead_delay(SETTLE_TICKS);
    require(late.expired >= 2 * timers, "a timer was lost");
    require(late.expired <= 3 * timers, "a late timer acted more than once");
    require(late.misplaced <= timers, "a timer that was late left its period");
    stop_all();
    return latest - earliest;
}

// Tests the case without the highest thread: only the ticks interrupt the prover.
static void test_alone(void) {
    start_timers(1);
    spin_until(bulkhead_ticks() + BUSY_TICKS);
    bulkhead_delay(SETTLE_TICKS);
    require(late.expired <= 3, "a tick ran a timer of a lower priority than the running thread");
    stop_all();
}

static void test_latency(void) {
    const uint32_t one = late_with(1), ten = late_with(10), fifty = late_with(TIMERS);
    say("late: the highest thread, with 1, 10, 50 timers that are late by ");
    say_number(BUSY_TICKS);
    say(" ticks: ");
    say_number(one);
    say(", ");
    say_number(ten);
    say(", ");
    say_number(fifty);
    say(" cycles");
    require(fifty <= one + TIMERS * MOVE_CYCLES, "the highest thread waits for timers to run");
}

void prover_main(void);
void prover_main(void) {
    clock_start();
    test_alone();
    test_latency();
    start_all(TIMERS);
    bulkhead_delay(1);
    spin_until(bulkhead_ticks() + 5);
    test_moved();
    spin_until(busy_until + 2);
    stop_all();
    succeed();
}
